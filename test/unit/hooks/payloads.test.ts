import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hookEvents } from '../../../src/hooks/events/index.ts';
import { claudePayload, ownPayload } from '../../../src/hooks/payload.ts';
import { projectRoot } from '../../support/source-files.ts';

const about = {
  sessionId: 'thread-1',
  at: 0,
  surroundings: { cwd: '/home/me/project', isResumed: false },
  scene: {
    mode: 'prompt',
    promptId: 'turn-1',
    transcript: '/home/me/thread-1.jsonl',
    model: { provider: 'local', model: 'small', effort: 'high' },
  },
} as const;

it('payloads of all events are as they were', async () => {
  const payloads = hookEvents.flatMap((def) =>
    def.samples.map((event) => {
      const nameIn = (names: readonly string[]) => names.find((name) => def.isAbout(event, name));
      const claude = nameIn(def.claudeNames);
      return {
        own: ownPayload({ ...about, def, event, name: nameIn(def.names) ?? '' }),
        ...(claude === undefined ? {} : { claude: claudePayload({ ...about, def, event, name: claude }) }),
      };
    }),
  );
  await expect(`${JSON.stringify(payloads, null, 2)}\n`).toMatchFileSnapshot('payloads.snap.txt');
});

it('docs/hooks.md is what the code makes of it', async () => {
  const script = path.join(projectRoot, 'scripts/hook-docs.mjs');
  const { hooksPage } = (await import(script)) as { hooksPage(): string };
  expect(readFileSync(path.join(projectRoot, 'docs/hooks.md'), 'utf8')).toBe(hooksPage());
});
