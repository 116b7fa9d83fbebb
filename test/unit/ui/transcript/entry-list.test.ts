import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TranscriptNote } from '../../../../src/ui/store/view-state.ts';
import { EntryList } from '../../../../src/ui/transcript/entry-list.ts';
import { Scene } from '../../../ui/transcript/scene.ts';

function listed(list: EntryList): string[] {
  return Array.from({ length: list.length }, (_, at) => {
    const entry = list.at(at);
    return `${entry?.gap} ${entry?.cell.kind} ${entry?.cell.id}`;
  });
}

const step = fc.constantFrom(
  'user',
  'text',
  'quiet',
  'quiet',
  'quiet',
  'edit',
  'open',
  'settle',
  'turn',
  'end',
  'note',
);

test('kept up step by step, the list is the one that is made at once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const scene = new Scene();
      const kept = new EntryList();
      let notes: readonly TranscriptNote[] = [];
      let open: string | undefined;
      for (const name of steps) {
        const last = scene.state.messages.at(-1)?.id ?? null;
        if (name === 'user') scene.user('hi');
        else if (name === 'text') scene.begin().text('words').end();
        else if (name === 'quiet') scene.begin().tool('read_file', 'a', { summary: '1' }).end('tool-calls');
        else if (name === 'edit') scene.begin().tool('edit_file', 'a', { status: 'error' }).end('tool-calls');
        else if (name === 'turn') scene.turn();
        else if (name === 'end') scene.turnEnd();
        else if (name === 'note')
          notes = [
            ...notes,
            { id: `n${notes.length}`, afterId: last, kind: 'notice', level: 'info', text: 'x' },
          ];
        else if (name === 'open') {
          scene.begin();
          open = scene.call('bash', 'make');
          scene.end('tool-calls').run(open);
        } else if (open !== undefined) {
          scene.result(open, {});
          open = undefined;
        }
        kept.sync(scene.state, { notes });
        const fresh = new EntryList();
        fresh.sync(scene.state, { notes });
        expect(listed(kept)).toEqual(listed(fresh));
        for (let at = 0; at < kept.length; at += 1) expect(kept.indexOf(kept.at(at)?.cell.id ?? '')).toBe(at);
      }
    }),
    { numRuns: 200 },
  );
});

test('cells that did not change stay the same objects', () => {
  const scene = new Scene().user('hi').turn().begin().text('one');
  const list = new EntryList();
  list.sync(scene.state, { notes: [] });
  const first = list.at(1)?.cell;
  scene.textStart().delta('two');
  list.sync(scene.state, { notes: [] });
  expect(list.at(1)?.cell).not.toBe(undefined);
  expect(list.at(2)?.cell).toMatchObject({ kind: 'text', isLive: true });
  scene.delta(' three');
  const second = list.at(1)?.cell;
  list.sync(scene.state, { notes: [] });
  expect(list.at(1)?.cell).toBe(second);
  expect(first).toMatchObject({ kind: 'text' });
});
