import type { CheckId } from '../checks.ts';
import { wordList } from '../word-list.ts';
import { programName } from './unwrap.ts';
import { literalWord, type ShellWord, wordText } from './words.ts';

/** What a command that does more than read is known to do. */
type Effects = {
  /** Files and folders that it writes or removes. */
  writes: readonly ShellWord[];
  /** Other files that it may read. */
  reads: readonly ShellWord[];
  /** Words that may be paths and whose use is not known. */
  mentions: readonly ShellWord[];
  /** The check that says best what it does. */
  check: CheckId;
  /** True when its effect leaves the workspace whatever its arguments are. */
  leaves: boolean;
};

/** Judged by name and arguments; `words` is one unwrapped simple command. */
export function effectsOf(words: readonly ShellWord[]): Effects {
  const name = programName(words[0]);
  if (name === undefined) return { writes: [], reads: [], mentions: [], check: 'command-word', leaves: true };
  const args = words.slice(1);
  const writes = writesOf(name, args);
  const program = words.slice(0, 1).filter((word) => !systemProgram.test(wordText(word)));
  return {
    writes: writes ?? [],
    reads: [...program, ...(writes ? mentionedPaths(args) : [])],
    mentions: writes ? [] : mentionedPaths(args),
    ...characterOf(name, args),
  };
}

/** Found on PATH, or named where every user's programs lie. */
const systemProgram = /^([^/]*|\/(usr\/(local\/)?|opt\/homebrew\/)?s?bin\/[^/]+)$/;

const packageManagers = new Set(
  wordList(`
    apt apt-get aptitude dpkg yum dnf rpm zypper pacman apk brew port snap flatpak nix-env choco winget
    scoop emerge
  `),
);
const remotePrograms = new Set(
  wordList(`
    ssh scp sftp rsync ftp lftp telnet nc ncat netcat socat rclone mail mailx mutt sendmail msmtp
    openssl mosh croc wormhole ngrok cloudflared tailscale
  `),
);
const servicePrograms = new Set(
  wordList(`
    docker podman nerdctl docker-compose kubectl helm terraform tofu pulumi ansible ansible-playbook aws
    gcloud gsutil az gh glab hub heroku vercel netlify wrangler fly flyctl doctl firebase supabase
    redis-cli mysql psql mongosh mongo sqlcmd vault op gpg pass security twine nslookup dig host ping
    ping6 traceroute drill whois nmap
  `),
);
const machinePrograms = new Set(
  wordList(`
    systemctl service launchctl crontab at batch mount umount swapon swapoff sysctl useradd userdel
    usermod groupadd passwd chpasswd visudo chsh iptables ip6tables nft ufw ip ifconfig route hostname
    hostnamectl timedatectl localectl kill pkill killall xkill defaults dscl osascript open xdg-open
    loginctl update-alternatives ldconfig losetup setcap chattr reg ssh-keygen ssh-add
  `),
);
const agents = new Set(
  wordList(`
    llmcode claude codex gemini opencode crush aider goose cursor-agent copilot amp q qwen pi droid
    auggie
  `),
);
const interpreters = new Set(
  wordList(`
    python python2 python3 node nodejs deno bun perl ruby php lua tclsh osascript awk gawk mawk sh bash
    zsh dash ksh Rscript julia groovy jshell sqlite3 vim nvim vi ex ed emacs m4
    bc dc expect
  `),
);
/** Their language is another one, so nothing of what they run is known. On some disks without regard to case. */
const otherShell =
  /^(pwsh(-preview)?|powershell(_ise)?|cmd|fish|nu|elvish|xonsh|t?csh)(\.exe)?$|\.(ps1|bat|cmd)$/i;
const stateBuiltins = new Set(
  wordList(`
    export declare typeset local readonly unset set shopt alias unalias enable hash trap source . eval
    exec read mapfile readarray getopts let bind complete compopt umask ulimit builtin wait jobs fg bg
    disown history fc exit return
  `),
);
const zshBuiltins = new Set(
  wordList(`
    zmodload sysopen sysread syswrite sysseek zsocket ztcp zpty zselect zformat zparseopts zregexparse
    zstat zcompile
  `),
);

function characterOf(name: string, args: readonly ShellWord[]): Pick<Effects, 'check' | 'leaves'> {
  const texts = args.map(wordText);
  const [first = '', second = ''] = texts.filter((text) => !text.startsWith('-'));
  const isGlobal = texts.some((text) => text === '-g' || text === '--global' || text === '--system');
  if (otherShell.test(name)) return { check: 'unsupported-shell', leaves: true };
  if (zshBuiltins.has(name)) return { check: 'zsh-builtin', leaves: true };
  if (agents.has(name)) return { check: 'other-agent', leaves: true };
  if (packageManagers.has(name)) return { check: 'packages', leaves: true };
  if (remotePrograms.has(name)) return { check: 'network', leaves: true };
  if (servicePrograms.has(name)) return { check: 'network', leaves: true };
  if (machinePrograms.has(name)) return { check: 'system', leaves: true };
  if (stateBuiltins.has(name))
    return { check: 'state-builtin', leaves: name === 'enable' || name === 'hash' };
  if (name === 'curl' || name === 'wget' || name === 'http' || name === 'https' || name === 'xh') {
    return sendsData(name, texts)
      ? { check: 'network-upload', leaves: true }
      : { check: 'network', leaves: false };
  }
  if (name === 'rm' && texts.some((text) => /^-[A-Za-z]*[rR]/.test(text) || text.startsWith('--r'))) {
    return { check: 'rm-rf', leaves: false };
  }
  if (['chmod', 'chown', 'chgrp', 'setfacl'].includes(name))
    return { check: 'permission-change', leaves: false };
  if (name === 'git')
    return { check: first === 'push' ? 'network-upload' : 'option', leaves: gitLeaves(first, texts) };
  if (
    wordList(`
    npm pnpm yarn bun cargo gem poetry uv hatch flit mvn gradle dotnet vsce
  `).includes(name)
  ) {
    const publishes = wordList(`
    publish unpublish deploy yank owner login adduser token access dist-tag push
  `);
    if (publishes.includes(first)) return { check: 'network-upload', leaves: true };
    const installs = wordList('install i add ci update upgrade remove uninstall sync get');
    const isTool =
      isGlobal ||
      (name === 'uv' && first === 'tool') ||
      (name === 'cargo' && first === 'install') ||
      name === 'gem';
    if (installs.includes(first) || (first === 'tool' && installs.includes(second))) {
      return { check: 'packages', leaves: isTool };
    }
  }
  if (['pip', 'pip3', 'pipx', 'conda', 'mamba'].includes(name)) {
    const isUser =
      name !== 'pip' && name !== 'pip3'
        ? true
        : texts.some((text) => /^--(user|target|prefix|root|break-system-packages)/.test(text));
    return { check: 'packages', leaves: isUser };
  }
  if (interpreters.has(name)) return { check: 'interpreter', leaves: false };
  return { check: 'unknown-program', leaves: false };
}

function sendsData(name: string, texts: readonly string[]): boolean {
  if (name === 'wget')
    return texts.some(
      (text) => /^--(post|body|method|input-file|use-askpass|header)/.test(text) || text === '-i',
    );
  if (name === 'curl') {
    return texts.some((text) =>
      /^(-[A-Za-z]*[dFTXK]|--(data|form|upload|request|json|url-query|config|variable|proxy|mail))/.test(
        text,
      ),
    );
  }
  return texts.some((text) => /^(POST|PUT|PATCH|DELETE)$/i.test(text) || /[^=]=|:=|@/.test(text));
}

function gitLeaves(subcommand: string, texts: readonly string[]): boolean {
  if (wordList('push send-email credential daemon instaweb request-pull svn p4').includes(subcommand))
    return true;
  return (
    subcommand === 'config' && texts.some((text) => ['--global', '--system', '-f', '--file'].includes(text))
  );
}

/** Undefined when the program is not one whose outputs are known. */
function writesOf(name: string, args: readonly ShellWord[]): ShellWord[] | undefined {
  const operands = operandWords(args);
  switch (name) {
    case 'tee':
    case 'touch':
    case 'rm':
    case 'rmdir':
    case 'unlink':
    case 'shred':
    case 'truncate':
    case 'mkdir':
    case 'mkfifo':
    case 'sponge':
    case 'gzip':
    case 'gunzip':
    case 'bzip2':
    case 'xz':
    case 'zstd':
    case 'vim':
    case 'nvim':
    case 'vi':
    case 'ed':
    case 'ex':
    case 'nano':
    case 'emacs':
      return operands;
    case 'chmod':
    case 'chown':
    case 'chgrp':
      return operands.slice(1);
    case 'mv':
      return [...operands, ...intoFolder(args, operands)];
    case 'cp':
    case 'install':
    case 'ln':
      return intoFolder(args, operands);
    case 'rsync':
    case 'scp':
      return operands.slice(-1).filter((word) => !/^[^/]*:/.test(wordText(word)));
    case 'dd':
      return valuesOf(args, /^of=/);
    case 'sed':
    case 'gsed':
      return [
        ...(args.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(wordText(word))) ? operands : []),
        ...sedOutputs(args),
      ];
    case 'perl':
    case 'ruby':
      return args.some((word) => /^-[a-zA-Z]*i/.test(wordText(word))) ? operands : undefined;
    case 'sort':
    case 'shuf':
    case 'iconv':
    case 'tree':
      return optionValues(args, 'o', '--output');
    case 'curl':
      return optionValues(args, 'o', '--output');
    case 'wget':
      return optionValues(args, 'O', '--output-document');
    case 'uniq':
    case 'xxd':
      return operands.slice(1);
    case 'split':
    case 'csplit':
    case 'patch':
      return operands;
    case 'find':
      return args.filter((_, index) => /^-fprint|^-fls$/.test(wordText(args[index - 1] ?? literalWord(''))));
    default:
      return undefined;
  }
}

const operandWords = (args: readonly ShellWord[]) => args.filter((word) => !/^-./.test(wordText(word)));

/** The target of a copy: `-t DIR`, else the last operand; a folder takes the names of the sources. */
function intoFolder(args: readonly ShellWord[], operands: readonly ShellWord[]): ShellWord[] {
  const named = optionValues(args, 't', '--target-directory');
  const target = named[0] ?? operands.at(-1);
  if (!target || (named.length === 0 && operands.length < 2)) return operands.slice(0, 1);
  const sources = operands.filter((word) => word !== target);
  const inside = sources.flatMap((source) => {
    if (target.kind !== 'literal' || source.kind !== 'literal') return [];
    const name = source.value.replace(/\/+$/, '').split('/').at(-1) ?? '';
    return [literalWord(`${target.value.replace(/\/+$/, '')}/${name}`)];
  });
  return [target, ...inside];
}

function valuesOf(args: readonly ShellWord[], prefix: RegExp): ShellWord[] {
  return args.flatMap((word): ShellWord[] => {
    const found = prefix.exec(wordText(word));
    if (!found) return [];
    if (word.kind !== 'literal') return [word];
    return [{ ...word, value: word.value.slice(found[0].length) }];
  });
}

function optionValues(args: readonly ShellWord[], letter: string, long: string): ShellWord[] {
  const values: ShellWord[] = [];
  for (const [index, word] of args.entries()) {
    const text = wordText(word);
    const next = args[index + 1];
    if (text === long || new RegExp(`^-[A-Za-z]*${letter}$`).test(text)) {
      if (next) values.push(next);
    } else if (text.startsWith(`${long}=`))
      values.push({ ...word, kind: 'literal', value: text.slice(long.length + 1) });
    else if (text.startsWith(`-${letter}`) && !text.startsWith('--')) {
      values.push({ ...word, kind: 'literal', value: text.slice(2) });
    }
  }
  return values;
}

/** Files that the w command of sed would write, wherever in a script it may stand. */
function sedOutputs(args: readonly ShellWord[]): ShellWord[] {
  return args
    .filter((word) => word.kind === 'literal')
    .flatMap((word) => [...wordText(word).matchAll(/[wW]\s+([^\n;}]+)/g)])
    .map((found) => literalWord((found[1] ?? '').trim()));
}

/** Arguments that may name files: any plain word, and what stands behind `=` or a leading `@`. */
export function mentionedPaths(args: readonly ShellWord[]): ShellWord[] {
  return args.flatMap((word): ShellWord[] => {
    if (word.kind === 'dynamic') return [];
    const text = wordText(word);
    const value = /^-{0,2}[\w-]+=(.+)$/.exec(text)?.[1] ?? text.replace(/^@/, '');
    const isName = value !== '' && value.length < 200 && !/^-|^\w+:\/\/|[\n\r]/.test(value);
    if (!isName) return [];
    return [word.kind === 'literal' ? literalWord(value) : word];
  });
}
