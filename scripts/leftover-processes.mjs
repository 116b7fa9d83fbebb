// Finds processes that tests started and did not end: they carry LLMCODE_TEST_RUN of this run in their environment.
import { readdirSync, readFileSync } from 'node:fs';

/** Linux only; elsewhere an empty list. One line for each process: pid and command. */
export function leftoverProcesses(runId) {
  if (process.platform !== 'linux') return [];
  const found = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid) continue;
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`LLMCODE_TEST_RUN=${runId}`)) continue;
      const state = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .charAt(0);
      if (state !== 'Z')
        found.push(`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`);
    } catch {
      // The process ended while it was looked at, or belongs to somebody else.
    }
  }
  return found;
}
