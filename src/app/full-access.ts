import { existsSync } from 'node:fs';
import { LlmcodeError } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { readChoices, remember } from './settings/choices.ts';

/** Throws unless the person confirmed full_access once, or this is a container that can be thrown away. */
export async function checkFullAccess(
  home: string,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<void> {
  if (await mayUseFullAccess(home, { isConfirmed })) return;
  throw new LlmcodeError(
    'full-access-unconfirmed',
    'full_access runs everything without asking, also outside of this folder; add --i-know once if you want that',
    { exitCode: 2 },
  );
}

export async function mayUseFullAccess(
  home: string,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<boolean> {
  if (isConfirmed)
    await remember(home, 'fullAccess', true).catch((error: unknown) => log('not remembered:', error));
  return isConfirmed || readChoices(home).fullAccess === true || isContainer();
}

function isContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv');
}
