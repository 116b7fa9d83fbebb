import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { leftoverProcesses } from '../../scripts/leftover-processes.mjs';

it.runIf(process.platform === 'linux')(
  'a process that a test left behind is found, even one with an empty environment',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'llmcode-left-'));
    const child = spawn('/bin/sleep', ['1000'], { cwd: folder, env: {}, detached: true, stdio: 'ignore' });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    await new Promise((resolve) => child.once('spawn', resolve));
    try {
      expect(leftoverProcesses(folder)).toEqual([`${child.pid} /bin/sleep 1000`]);
      expect(leftoverProcesses(`${folder}-other`)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    }
    expect(leftoverProcesses(folder)).toEqual([]);
  },
);
