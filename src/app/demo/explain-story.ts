import type { DemoStep } from './demo-step.ts';
import type { Evidence } from './evidence.ts';
import { toldNo } from './fix-story.ts';

/** Reads the project and says what it is. */
export function explainStep({ calls }: Evidence): DemoStep {
  const reads = calls.filter((call) => call.tool === 'read_file' && call.isOfThisTurn);
  if (reads.length === 0)
    return {
      say: 'I read the readme and the main file.',
      calls: [
        { tool: 'read_file', input: { path: 'README.md' } },
        { tool: 'read_file', input: { path: 'src/cart.js' } },
      ],
    };
  if (reads.every((call) => call.status !== 'ok'))
    return { say: toldNo('read the files', reads.at(-1)?.output ?? ''), calls: [] };
  return {
    say: [
      '`corner-shop` is the till of a small shop, in plain JavaScript without dependencies:',
      '| file | what |\n|---|---|\n| `src/cart.js` | adds up the items, applies coupon and gift card |\n| `src/money.js` | formats cents |\n| `test/` | tests for `node --test` |',
      'One test fails when a coupon and a gift card meet. Say `fix the failing test` to see a whole turn.',
    ].join('\n\n'),
    calls: [],
  };
}
