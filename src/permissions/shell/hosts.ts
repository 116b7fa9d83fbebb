import { wordList } from '../word-list.ts';
import { programName } from './unwrap.ts';
import { type ShellWord, wordText } from './words.ts';

/** Programs whose arguments name a host also without `https://` before it. */
const callers = new Set(
  wordList(`
    curl wget http https xh aria2c lynx fetch nc ncat netcat socat telnet openssl ssh scp sftp ftp tftp lftp rsync
    mosh dig nslookup host drill ping ping6 whois traceroute nmap git
  `),
);

/** The hosts that a command names. Generous: only rules that forbid or ask look at them. */
export function hostsIn(words: readonly ShellWord[]): string[] {
  const isCaller = callers.has(programName(words[0]) ?? '');
  return words.slice(1).flatMap((word) => {
    const text = word.kind === 'literal' ? word.value : word.kind === 'dynamic' ? word.head : wordText(word);
    const urls = [...text.matchAll(/[a-z][a-z0-9+.-]*:\/\/([^/?#\s'"]+)/gi)].map((found) => found[1] ?? '');
    const bare = isCaller
      ? (/^(?:[\w.+-]+@)?([\w-]+(?:\.[\w-]+)+)\.?(?:[:/?#].*)?$/.exec(text)?.[1] ?? '')
      : '';
    return [...urls.map(hostOf), bare.toLowerCase()].filter((host) => host !== '');
  });
}

/** Without the user before it and the port behind it. */
function hostOf(authority: string): string {
  return authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
}
