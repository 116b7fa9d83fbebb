// Finds processes that tests started and did not end. All that tests make lies in the folder of their run: a process
// has it in its environment, works in it, names it in its command or has a file of it open, or else is none of theirs.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Linux only; elsewhere an empty list. One line for each process: pid and command. */
export function leftoverProcesses(folder) {
  if (process.platform !== 'linux') return [];
  const found = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid) continue;
    const command = textOf(pid, 'cmdline').replaceAll('\0', ' ').trim();
    const state = textOf(pid, 'stat')
      .replace(/^.*\) /s, '')
      .charAt(0);
    if (command === '' || state === 'Z' || state === 'X') continue;
    const isOurs =
      textOf(pid, 'environ').includes(folder) ||
      command.includes(folder) ||
      [path.join('/proc', pid, 'cwd'), ...openFiles(pid)].some((link) => targetOf(link).startsWith(folder));
    if (isOurs) found.push(`${pid} ${command}`);
  }
  return found;
}

/** '' where the process has ended meanwhile or belongs to somebody else. */
function textOf(pid, file) {
  try {
    return readFileSync(path.join('/proc', pid, file), 'utf8');
  } catch {
    return '';
  }
}

function openFiles(pid) {
  const folder = path.join('/proc', pid, 'fd');
  try {
    return readdirSync(folder).map((fd) => path.join(folder, fd));
  } catch {
    return [];
  }
}

function targetOf(link) {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
