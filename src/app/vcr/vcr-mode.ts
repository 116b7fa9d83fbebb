import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Environment, llmcodeHome } from '#lib/paths.ts';
import type { SessionFlags } from '../cli/flags.ts';
import { usageError } from '../cli/usage-error.ts';

export type VcrMode =
  | { kind: 'off' }
  | { kind: 'record'; file: string }
  /** `isDriven`: what the person did then is done again; otherwise somebody else says the prompts. */
  | { kind: 'replay'; file: string; speed: number; isDriven: boolean };

/** What flags and environment ask for. Throws a usage error when that is not clear. */
export function vcrMode(
  { replay, speed, prompt }: Pick<SessionFlags, 'replay' | 'speed' | 'prompt'>,
  { env, cwd }: { env: Environment; cwd: string },
): VcrMode {
  const isDriven = prompt === undefined;
  if (replay !== undefined)
    return { kind: 'replay', file: path.resolve(cwd, replay), speed: speed ?? speedOf(env), isDriven };
  const asked = env['LLMCODE_VCR'] ?? '';
  const named = env['LLMCODE_VCR_FILE'] ?? '';
  switch (asked.toLowerCase()) {
    case '':
    case 'off':
      return { kind: 'off' };
    case 'record':
      return { kind: 'record', file: recordingFile(named, { env, cwd }) };
    case 'replay':
      if (named === '')
        throw usageError('LLMCODE_VCR=replay needs LLMCODE_VCR_FILE: the recording to replay');
      return { kind: 'replay', file: path.resolve(cwd, named), speed: speed ?? speedOf(env), isDriven };
    default:
      throw usageError(`LLMCODE_VCR is '${asked}'; it can be record, replay or off`);
  }
}

/** True when the prompts come from a recording. */
export function isDrivenReplay(
  flags: SessionFlags,
  { env, cwd }: { env: Environment; cwd: string },
): boolean {
  const mode = vcrMode(flags, { env, cwd });
  return mode.kind === 'replay' && mode.isDriven;
}

/** Where a recording goes: the named file, or one named by the time in the named folder or in the user's own. */
export function recordingFile(named: string, { env, cwd }: { env: Environment; cwd: string }): string {
  const isFolder = named === '' || /[/\\]$/.test(named) || isExistingFolder(path.resolve(cwd, named));
  if (!isFolder) return path.resolve(cwd, named);
  const folder = named === '' ? path.join(llmcodeHome(env), 'vcr') : path.resolve(cwd, named);
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-').replace(/Z$/, '');
  return path.join(folder, `${stamp}.jsonl`);
}

function isExistingFolder(folder: string): boolean {
  return existsSync(folder) && statSync(folder).isDirectory();
}

function speedOf(env: Environment): number {
  const text = env['LLMCODE_VCR_SPEED'];
  if (text === undefined || text === '') return 1;
  const speed = Number(text);
  if (!Number.isFinite(speed) || speed < 0)
    throw usageError(`LLMCODE_VCR_SPEED is '${text}'; it must be a number from 0 (0 = as fast as possible)`);
  return speed;
}
