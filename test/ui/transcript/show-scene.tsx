// Prints scenes as a person would see them: `esbuild --bundle … && node`. Not a test.
import { readFileSync } from 'node:fs';
import { renderToString } from 'ink';
import { createUiStore } from '../../../src/ui/store/ui-store.ts';
import { loadTheme, ThemeContext } from '../../../src/ui/theme/theme.ts';
import { Transcript, transcriptActions } from '../../../src/ui/transcript/transcript.tsx';
import { Scene, terminal } from './scene.ts';

const width = Number(process.argv[2] ?? 100);
const height = Number(process.argv[3] ?? 50);
const theme = loadTheme(readFileSync(`themes/${process.argv[4] ?? 'dark'}.json`, 'utf8'), {
  colorLevel: (process.argv[5] as 'truecolor') ?? 'truecolor',
});

const scene = new Scene()
  .user('the total is wrong when a coupon and a gift card are used together, fix it')
  .turn()
  .begin()
  .thought('**Looking for totals**\n\nThe person says that the total is wrong.')
  .text("I'll look at how totals are computed first.")
  .tool('grep_search', 'applyCoupon|giftCard', {
    summary: '9 hits in 4 files',
    durationMs: 110,
    view: { kind: 'files', files: [{ path: 'a' }], total: 1 },
  })
  .tool('read_file', 'src/cart/total.ts', { summary: '84 lines', view: { kind: 'text', text: 'x' } })
  .tool('bash', 'npm test -- total', {
    durationMs: 2400,
    summary: '1 failed · 11 passed',
    view: terminal(
      `${Array.from({ length: 38 }, (_, i) => `line ${i}`).join('\n')}\n total with coupon and gift card\n   expected 1200, got 1500\n`,
      { exitCode: 1 },
    ),
  })
  .end('tool-calls')
  .begin()
  .text("The gift card is taken off before the coupon's percentage. I'll change the order.")
  .tool('edit_file', 'src/cart/total.ts', {
    durationMs: 30,
    view: {
      kind: 'diff',
      path: 'src/cart/total.ts',
      change: 'modify',
      added: 3,
      removed: 2,
      hunks: [
        {
          oldStart: 41,
          newStart: 41,
          lines: [
            { op: ' ', text: 'const net = items.reduce(add, 0)' },
            { op: '-', text: 'const afterCard = net - card.amount' },
            { op: '-', text: 'return afterCard * (1 - coupon.rate)' },
            { op: '+', text: 'const afterCoupon = net * (1 - coupon.rate)' },
            { op: '+', text: '// the card pays what the coupon leaves' },
            { op: '+', text: 'return Math.max(0, afterCoupon - card.amount)' },
          ],
        },
      ],
    },
  })
  .tool('bash', 'npm test -- total', {
    durationMs: 2400,
    summary: '12 passed',
    view: terminal('a\nb\n 12 passed\n'),
  })
  .tool('write_file', 'src/cart/refund.ts', { status: 'denied', summary: 'denied: not now' })
  .tool('bash', 'sleep 100', { status: 'aborted', durationMs: 5000 })
  .tool('read_file', 'src/nothing.ts', {
    status: 'error',
    forModel: [{ kind: 'text', text: 'No such file: src/nothing.ts. Did you mean src/cart/nothing.ts?' }],
  })
  .end('tool-calls')
  .begin()
  .text(
    `# Done\n\nThe **order** is right now in \`total.ts\`:\n\n1. the coupon's percentage\n2. the gift card\n   - never below *zero*\n   - see [the docs](https://example.com/x)\n\n- [x] tests\n- [ ] refunds\n\n| case | before | after |\n|---|--:|---|\n| coupon | 1500 | the total after the coupon |\n| both | 1500 | 1200 |\n\n> A quote of someone\n\n\`\`\`ts\nexport function total(items: Item[]): number {\n  return items.reduce(add, 0); // cents\n}\n\`\`\`\n\nThat's all, 漢字 and 👩‍💻 too.`,
  )
  .end()
  .turnEnd();

if (process.argv[6] === 'more') {
  scene.user('now look around\nand do it well').turn().begin();
  for (let i = 0; i < 9; i += 1)
    scene.tool(i % 3 ? 'read_file' : 'grep_search', `src/file${i}.ts`, { summary: `${i} lines` });
  const running = scene.call(
    'bash',
    'npm run build && npm test -- --very-long-argument=/some/where/in/the/tree/that/is/long',
  );
  scene
    .run(running)
    .progress(running, terminal('building\ncompiled 3 files\n', { running: true, exitCode: null }));
  scene.call('edit_file', 'src/a.ts');
}
const store = createUiStore({ thread: scene.state });
store.addNotice({ level: 'info', text: 'model is now **demo/demo**' });
const welcome = {
  version: '0.1.0',
  cwdLabel: '~/src/shop-api',
  model: 'ollama/qwen3-coder:30b',
  hints: [
    { key: '/', text: 'commands' },
    { key: '@', text: 'files' },
    { key: '⇧⇥', text: 'mode' },
  ],
};
const App = () => (
  <ThemeContext value={theme}>
    <Transcript store={store} width={width} height={height} welcome={welcome} />
  </ThemeContext>
);
transcriptActions(store);
console.log(renderToString(<App />, { columns: width }));
await new Promise((r) => setTimeout(r, 1500));
console.log('='.repeat(width));
console.log(renderToString(<App />, { columns: width }));
process.exit(0);
