import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import ignore, { type Ignore } from 'ignore';
import { lookWithGit } from '#lib/look-with-git.ts';

const maxFiles = 200_000;
const maxChars = 24_000_000;
const stepFiles = 10_000;
/** Never worth completing, also where no ignore file names them. */
const skipped = new Set(['.git', 'node_modules', '.hg', '.svn', '__pycache__', '.venv']);

type FileOptions = { env: Readonly<Record<string, string>>; signal: AbortSignal };

/** Files and folders below `cwd` for completion: what git knows or would take in, else a walk by the ignore files. */
export async function workspaceFiles(cwd: string, options: FileOptions): Promise<string[]> {
  const files = (await gitFiles(cwd, options)) ?? (await walkFiles(cwd, options.signal));
  return withFolders(files.slice(0, maxFiles));
}

/** undefined when this is no repository or git is not there. */
async function gitFiles(cwd: string, { env, signal }: FileOptions): Promise<string[] | undefined> {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const end = await lookWithGit({
    args,
    cwd,
    env,
    signal,
    timeoutMs: 5_000,
    captureChars: maxChars,
  });
  if (end.cause !== 'exited' || end.exitCode !== 0) return undefined;
  const names = end.stdout.split('\0');
  names.pop(); // Empty after the last name, or a name that the limit cut.
  // A file in conflict is named once for each of its versions.
  return names.filter((name, index) => name !== names[index - 1]);
}

async function walkFiles(cwd: string, signal: AbortSignal): Promise<string[]> {
  const files: string[] = [];
  // Breadth first: when the limit cuts, what is near is there.
  let folders: { at: string; rules: readonly ScopedRules[] }[] = [{ at: '', rules: [] }];
  while (folders.length > 0 && files.length < maxFiles && !signal.aborted) {
    const below = await Promise.all(folders.slice(0, 64).map((folder) => listFolder(cwd, folder)));
    folders = [...folders.slice(64), ...below.flatMap((each) => each.folders)];
    for (const each of below) files.push(...each.files);
  }
  return files;
}

type ScopedRules = { base: string; rules: Ignore };

async function listFolder(
  cwd: string,
  { at, rules: inherited }: { at: string; rules: readonly ScopedRules[] },
): Promise<{ files: string[]; folders: { at: string; rules: readonly ScopedRules[] }[] }> {
  const entries = await readdir(path.join(cwd, at), { withFileTypes: true }).catch(() => []);
  const own = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
    ? await readFile(path.join(cwd, at, '.gitignore'), 'utf8').catch(() => '')
    : '';
  const rules = own === '' ? inherited : [...inherited, { base: at, rules: ignore().add(own) }];
  const files: string[] = [];
  const folders: { at: string; rules: readonly ScopedRules[] }[] = [];
  for (const entry of entries) {
    const isFolder = entry.isDirectory();
    const name = at === '' ? entry.name : `${at}/${entry.name}`;
    if (skipped.has(entry.name) || isIgnored(isFolder ? `${name}/` : name, rules)) continue;
    if (isFolder) folders.push({ at: name, rules });
    else files.push(name);
  }
  return { files, folders };
}

function isIgnored(name: string, rules: readonly ScopedRules[]): boolean {
  return rules.some((each) => each.rules.ignores(each.base === '' ? name : name.slice(each.base.length + 1)));
}

/** In steps: keys must not wait for a large repository. */
async function withFolders(files: readonly string[]): Promise<string[]> {
  const folders = new Set<string>();
  let folderBefore = '';
  for (const [index, file] of files.entries()) {
    if (index % stepFiles === 0) await setImmediate();
    const parent = file.slice(0, file.lastIndexOf('/') + 1);
    if (parent === folderBefore) continue;
    folderBefore = parent;
    for (let end = parent.length; end > 0; end = parent.lastIndexOf('/', end - 2) + 1) {
      const folder = parent.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders].concat(files).sort();
}
