import { structuredPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffView } from '#tools/files/diff-view.ts';

const view = (before: string | null, after: string) => diffView({ path: 'a', before, after });
const lines = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

describe('diffView', () => {
  test('shows three lines around a change, with line numbers', () => {
    expect(view('1\n2\n3\n4\n5\n6\n7\n8\n9\n', '1\n2\n3\n4\nfive\n6\n7\n8\n9\n')).toEqual({
      kind: 'diff',
      path: 'a',
      change: 'modify',
      hunks: [
        {
          oldStart: 2,
          newStart: 2,
          lines: [
            { op: ' ', text: '2' },
            { op: ' ', text: '3' },
            { op: ' ', text: '4' },
            { op: '-', text: '5' },
            { op: '+', text: 'five' },
            { op: ' ', text: '6' },
            { op: ' ', text: '7' },
            { op: ' ', text: '8' },
          ],
        },
      ],
      added: 1,
      removed: 1,
    });
  });

  test('a new file is all added', () => {
    expect(view(null, 'a\nb\n')).toMatchObject({ change: 'create', added: 2, removed: 0 });
    expect(view(null, '')).toMatchObject({ hunks: [], added: 0 });
  });

  test('applying the hunks to the old text gives the new one', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', 'x y'), { maxLength: 40 })
      .map((all) => all.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const old = lines(before);
        const result: string[] = [];
        let at = 0;
        for (const hunk of view(before, after).hunks) {
          result.push(...old.slice(at, hunk.oldStart - 1));
          expect(result.length).toBe(hunk.newStart - 1);
          at = hunk.oldStart - 1;
          for (const line of hunk.lines) {
            if (line.op !== '+') expect(old[at++]).toBe(line.text);
            if (line.op !== '-') result.push(line.text);
          }
        }
        result.push(...old.slice(at));
        expect(result).toEqual(lines(after));
      }),
      { numRuns: 300 },
    );
  });

  test('finds no more changes than the diff library does', () => {
    const before = Array.from({ length: 60 }, (_, number) => `line ${number}`).join('\n');
    const after = before.replace('line 5', 'five').replace('line 30\n', '').replace('line 50', 'x\nline 50');
    const patch = structuredPatch('a', 'a', before, after);
    const changed = patch.hunks.flatMap((hunk) => hunk.lines).filter((line) => !line.startsWith(' ')).length;
    const { added, removed, hunks } = view(before, after);
    expect([added + removed, hunks.length]).toEqual([changed, patch.hunks.length]);
  });

  test('a small change in 50,000 lines is quick, a rewritten file is cut', () => {
    const old = Array.from({ length: 50_000 }, (_, number) => `const value${number} = ${number};\n`).join('');
    const times = Array.from({ length: 21 }, (_, run) => {
      const changed = old.replace(`value${run * 2_000 + 1} `, 'other ');
      const start = performance.now();
      expect(view(old, changed)).toMatchObject({ added: 1, removed: 1 });
      return performance.now() - start;
    }).sort((a, b) => a - b);
    // Roomy, for a busy machine: what it must catch is work that grows with the square of the file.
    expect(times[10]).toBeLessThan(60);
    const start = performance.now();
    const whole = view(old, old.replaceAll('const', 'let'));
    expect(performance.now() - start).toBeLessThan(3_000);
    expect(whole).toMatchObject({ added: 50_000, removed: 50_000 });
    expect(whole.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0) + (whole.omittedLines ?? 0)).toBe(
      100_000,
    );
  });

  test('a line of ten million characters does not go into the view', () => {
    const { hunks } = view('a\n', `${'x'.repeat(10_000_000)}\n`);
    expect(JSON.stringify(hunks).length).toBeLessThan(5_000);
  });
});
