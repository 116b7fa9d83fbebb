import path from 'node:path';
import { projectKey } from '#lib/project-key.ts';

/** Where a thread lies on disk. `files` holds its images and whole outputs. */
export type ThreadPaths = { log: string; lock: string; files: string };

export function threadsFolder(home: string): string {
  return path.join(home, 'threads');
}

export function projectFolder(home: string, cwd: string): string {
  return path.join(threadsFolder(home), projectKey(cwd));
}

export function newThreadPaths(home: string, cwd: string, threadId: string): ThreadPaths {
  return pathsBeside(path.join(projectFolder(home, cwd), `${threadId}.jsonl`));
}

/** Threads with peers belong to no project: they go on from any folder. No project's key looks like this. */
export function consultsFolder(home: string): string {
  return path.join(threadsFolder(home), 'consults');
}

export function newConsultPaths(home: string, threadId: string): ThreadPaths {
  return pathsBeside(path.join(consultsFolder(home), `${threadId}.jsonl`));
}

/** The paths of a thread whose log is known. */
export function pathsBeside(log: string): ThreadPaths {
  const stem = log.slice(0, -'.jsonl'.length);
  return { log, lock: `${stem}.lock`, files: `${stem}.files` };
}

/** The empty file beside a log that says that the thread is archived. */
export function archiveMark(log: string): string {
  return `${log.slice(0, -'.jsonl'.length)}.archived`;
}

/** The paths of a thread whose folder of files is known. */
export function pathsOfFiles(files: string): ThreadPaths {
  return pathsBeside(files.replace(/\.files$/, '.jsonl'));
}

/** The id of the thread whose log this is; undefined when the file has another kind of name. */
export function threadIdOf(log: string): string | undefined {
  const name = path.basename(log, '.jsonl');
  return /^[0-9A-HJKMNP-TV-Z]{26}$/.test(name) ? name : undefined;
}
