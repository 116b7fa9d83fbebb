import { type Composition, compose } from '../../compose.ts';
import { workingFolder } from '../../cwd.ts';
import { noPause } from '../../demo/model.ts';
import type { Host } from '../../host.ts';
import { say } from '../../say.ts';
import type { SessionFlags } from '../flags.ts';

/** What a session in this folder would be made of; its notices go to stderr. */
export async function openComposition(
  host: Host,
  { cwd, flags = {} }: { cwd?: string; flags?: SessionFlags },
): Promise<Composition> {
  const composition = await compose({ host, cwd: workingFolder(host, cwd), flags, demoPace: noPause });
  for (const notice of composition.notices) say(host.stderr, `llmcode: ${notice}`);
  return composition;
}
