import path from 'node:path';
import { isInside } from '#lib/paths.ts';
import { wordList } from '../word-list.ts';
import { isProtectedPlace } from './protected-places.ts';

/** A name as every disk would compare it: no case, one Unicode form, nothing that some disks drop. */
function foldName(name: string): string {
  const known = folded.get(name);
  if (known !== undefined) return known;
  if (folded.size >= 2_000) folded.clear();
  const result = fold(name);
  folded.set(name, result);
  return result;
}

/** The same folders come again and again. Bounded. */
const folded = new Map<string, string>();

function fold(name: string): string {
  return (
    name
      .normalize('NFC')
      // Both ways: a long s becomes a plain one only upwards.
      .toUpperCase()
      .toLowerCase()
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(/^([^:]+):.*$/s, '$1')
      .replace(/[. ]+$/, (end) => (/^\.+$/.test(name) ? end : ''))
      .replace(/^(git|llmcod|claude|vscode|env)~\d$/, (short) => shortNames.get(short.slice(0, -2)) ?? short)
  );
}

/** What some disks call a name that begins with a dot. */
const shortNames = new Map([
  ['git', '.git'],
  ['llmcod', '.llmcode'],
  ['claude', '.claude'],
  ['vscode', '.vscode'],
  ['env', '.env'],
]);

/** The folded names along an absolute path. */
function foldedParts(file: string): string[] {
  return file
    .split(/[/\\]/)
    .filter((part) => part !== '')
    .map(foldName);
}

const secretFolders = new Set(wordList('.ssh .gnupg .aws .azure .kube .password-store .gcloud'));
const secretFolderPairs = wordList(`
    .config/gcloud .config/gh .config/op .config/sops .docker/config.json .cargo/credentials
    .cargo/credentials.toml .gem/credentials .m2/settings.xml .m2/settings-security.xml
    .terraform.d/credentials.tfrc.json .config/rclone .local/share/keyrings library/keychains
  `);
const secretNames = new Set([
  '.netrc',
  '_netrc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.pypirc',
  '.dockercfg',
  '.htpasswd',
  '.vault-token',
  '.s3cfg',
  '.boto',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
  '.rediscli_history',
  'credentials',
  'credentials.json',
  'credentials.yml',
  'credentials.yaml',
  'credentials.toml',
  'credentials.csv',
  'credentials.xml',
  'credentials.ini',
  'service-account.json',
  'serviceaccount.json',
  'token.json',
  'secrets.json',
  'secrets.yml',
  'secrets.yaml',
  'secrets.toml',
  'secret.json',
  'secret.yml',
  'secret.yaml',
  'kubeconfig',
  'auth.json',
  '.claude.json',
  'cookies.sqlite',
  'logins.json',
  'key4.db',
  'login data',
]);
const secretPattern =
  /^(\.env(\..+)?|\.envrc\.local|.+\.env|id_(rsa|dsa|ecdsa|ed25519)(_.+)?|.+\.(key|pem|p12|pfx|keystore|jks|ppk|kdbx|p8|ovpn|credential|credentials))$/;
const examplePattern =
  /(^|[._-])(example|examples|sample|samples|template|tmpl|dist|defaults?|schema)([._-]|$)|\.pub$/;
const systemSecrets =
  /^\/(etc\/(shadow|gshadow|sudoers)-?(\.d(\/|$)|$)|etc\/ssl\/private(\/|$)|etc\/ssh\/ssh_host_.*_key$|proc\/[^/]+\/(task\/[^/]+\/)?(environ|mem|maps|auxv)$|(private\/)?etc\/master\.passwd$|run\/secrets(\/|$)|var\/run\/secrets(\/|$))/;

/** True for a file that holds keys, tokens or passwords by its name. `file` is absolute. */
export function isSecret(file: string): boolean {
  if (systemSecrets.test(file)) return true;
  const parts = foldedParts(file);
  const name = parts.at(-1) ?? '';
  if (parts.some((part) => secretFolders.has(part))) return !name.endsWith('.pub') && !isOpenSshList(name);
  const joined = `/${parts.join('/')}/`;
  if (secretFolderPairs.some((pair) => joined.includes(`/${pair}/`))) return true;
  if (secretNames.has(name)) return true;
  return secretPattern.test(name) && !examplePattern.test(name);
}

/** These lie between the keys and hold none. */
function isOpenSshList(name: string): boolean {
  return name === 'known_hosts' || name === 'known_hosts.old';
}

/** Also for sending away: files of a home folder that may hold a token but are often read for other reasons. */
export function isCredential(file: string): boolean {
  if (isSecret(file)) return true;
  const name = foldedParts(file).at(-1) ?? '';
  return wordList('.npmrc .yarnrc .yarnrc.yml .envrc passwd hosts.yml').includes(name);
}

/** Settings that decide what an agent may do: ours, and those of Claude that are honoured as well. */
export function isOwnSettings(file: string, home: string): boolean {
  if (isInside(file, home)) return true;
  const parts = foldedParts(file);
  return parts.some((part, index) => {
    const rest = parts.slice(index + 1);
    const name = rest[0] ?? '';
    const isOurs = rest.length === 1 && /^(config|permissions|hooks|settings|trust)(\..*)?$/.test(name);
    if (part === '.llmcode') return rest.length === 0 || isOurs;
    return part === '.claude' && rest.length === 1 && /^settings(\..+)?\.json$/.test(name);
  });
}

/** True for a file that makes programs run later or changes how they behave. */
export function isProtected(file: string): boolean {
  return isProtectedPlace(foldedParts(file));
}

/** Files that decide who may do what on the machine; nothing writes them. */
export function isSystemFile(file: string): boolean {
  return (
    /^(\/private)?\/etc\/(sudoers|sudoers\.d(\/.*)?|passwd|shadow|group|gshadow|ld\.so\.preload|pam\.d(\/.*)?|master\.passwd)$/.test(
      file,
    ) ||
    /^\/proc\/(sysrq-trigger|sys(\/|$)|kcore)/.test(file) ||
    /^\/sys(\/|$)/.test(file) ||
    file.endsWith('/.ssh/authorized_keys')
  );
}

/** Disks, memory and ports: not the terminals, null, zero and random devices. */
export function isRawDevice(file: string): boolean {
  return /^\/dev\/(r?disk|sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme|mmcblk|dm-|mapper\/|md\d|loop|sr\d|fd\d|mem$|kmem$|port$|nst?\d|st\d|block\/|disk\/|ram\d|zram|nbd|pmem)/.test(
    file,
  );
}

/** Names that would be shown as something else: controls, bidirectional marks, characters without a width. */
export function isDeceptive(file: string): boolean {
  return /\p{Cc}|\p{Default_Ignorable_Code_Point}|[\u2028-\u202f]/u.test(file);
}

/** Where compilers and documentation lie: reading there tells nothing about the person. */
export function isStandardFolder(file: string, userHome: string): boolean {
  const inHome = path.relative(userHome, file);
  if (
    /^\/(usr\/(include|lib|lib32|lib64|libexec|share|src)|usr\/local\/(include|lib|share|Cellar|opt)|opt\/homebrew|nix\/store|lib|lib64|Library\/(Developer|Frameworks)|System\/Library|Applications\/Xcode\.app)(\/|$)/.test(
      file,
    )
  )
    return true;
  return /^(\.cargo\/registry|\.rustup\/toolchains|go\/pkg\/mod|\.m2\/repository|\.gradle\/caches|\.nvm\/versions|\.pyenv\/versions|\.rbenv\/versions|\.asdf\/installs|\.local\/share\/(mise|pnpm|uv)|\.local\/lib|\.deno|\.bun\/install|\.conda\/pkgs|\.nuget\/packages|\.pub-cache|\.sdkman\/candidates)(\/|$)/.test(
    inHome,
  );
}
