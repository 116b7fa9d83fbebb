import { renderToString } from 'ink';
import { describe, expect, test } from 'vitest';
import { textWidth } from '#lib/text-width.ts';
import { DialogHost, dialogRows } from '#ui/dialogs/dialog-host.tsx';
import type { setUp } from '../../unit/ui/dialogs/set-up.ts';
import { gallery } from './gallery.ts';

type Screen = ReturnType<typeof setUp>;

/** The rows of the open dialog, without styles. */
function rowsOf(screen: Screen, { width, maxRows }: { width: number; maxRows: number }): string[] {
  const host = (
    <DialogHost dialogs={screen.dialogs} store={screen.store} width={width} maxRows={maxRows} top={0} />
  );
  return renderToString(host, { columns: width })
    .split('\n')
    .map((line) => line.replaceAll(/\x1b\[[0-9;]*m/g, ''));
}

const sizes = [
  { width: 40, maxRows: 8 },
  { width: 80, maxRows: 22 },
  { width: 200, maxRows: 42 },
];

describe.each(Object.keys(gallery))('%s', (name) => {
  test.each(sizes)('fits into $width columns and $maxRows rows', async (room) => {
    const screen = await gallery[name]?.();
    if (!screen) throw new Error(name);
    const rows = rowsOf(screen, room);
    const width = Math.min(room.width, 120);
    expect(rows.length).toBeLessThanOrEqual(room.maxRows);
    expect(rows.length).toBe(dialogRows(screen.dialogs, room));
    const isBox = rows[0]?.startsWith('┌');
    const complete = rows.filter((row, index) => {
      if (!isBox) return textWidth(row) <= width && row.startsWith('▌');
      const ends = index === 0 ? '┌┐' : index === rows.length - 1 ? '└┘' : '││';
      return textWidth(row) === width && row.startsWith(ends.charAt(0)) && row.endsWith(ends.charAt(1));
    });
    expect(complete).toEqual(rows);
  });

  test('lets nothing through that a terminal obeys', async () => {
    const screen = await gallery[name]?.();
    if (!screen) throw new Error(name);
    for (const room of sizes)
      expect(rowsOf(screen, room).join('')).not.toMatch(
        /[\x00-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]/,
      );
  });
});

const look = async (name: string, room = { width: 80, maxRows: 22 }) => {
  const screen = await gallery[name]?.();
  return screen ? `\n${rowsOf(screen, room).join('\n')}\n` : '';
};

describe('what a person sees', () => {
  test('of a command that wants to run', async () => {
    expect(await look('permission of a command')).toMatchInlineSnapshot(`
      "
      ┌ bash wants to run ──────────────────────────────────── in shop-api · 1 of 2 ─┐
      │   npm run build                                                              │
      │   with timeout: 60                                                           │
      │                                                                              │
      │ asks because  npm run build starts code of this project (runs-project-code)  │
      │                                                                              │
      │ y once   a always: Bash(npm run build) in this project   e edit   n no       │
      │ d no, and say why   Esc no, and stop                                         │
      └──────────────────────────────────────────────────────────────────────────────┘
      "
    `);
  });

  test('of the same in a small window', async () => {
    expect(await look('permission of a command', { width: 40, maxRows: 8 })).toMatchInlineSnapshot(`
      "
      ┌ bash wants to run ────────── 1 of 2 ─┐
      │   npm run build                      │
      │   with timeout: 60                   │
      │ npm run build starts code of this    │
      │ … 2 more lines ↓  PgDn               │
      │ y once   a always…   e edit   n no   │
      │ d no, because…   Esc stop            │
      └──────────────────────────────────────┘
      "
    `);
  });

  test('of an edit', async () => {
    expect(await look('permission of an edit')).toMatchInlineSnapshot(`
      "
      ┌ edit_file wants to change src/cart/total.ts ─────────────────── in shop-api ─┐
      │ 41       const net = items.reduce(add, 0);                                   │
      │ 42  −    return net - card.amount;                                           │
      │ 42  +    const rest = net * (1 - coupon.rate);                               │
      │ 43  +    return Math.max(0, rest - card.amount);                             │
      │                                                                              │
      │ asks because  mode prompt asks before a change (mode-prompt-write)           │
      │                                                                              │
      │ y once   n no   d no, and say why   Esc no, and stop                         │
      └──────────────────────────────────────────────────────────────────────────────┘
      "
    `);
  });

  test('of a command with hidden characters in it', async () => {
    expect(await look('permission of a hostile command')).toMatchInlineSnapshot(`
      "
      ┌ name\\x1b]0;owned\\x07\\x1b[2J\\u{202e}日本語\\r\\nmore\\t\\x00 wants to run ────────┐
      │   name\\x1b]0;owned\\x07\\x1b[2J\\u{202e}日本語\\r                                │
      │   more\\t\\x00                                                                 │
      │                                                                              │
      │ asks because  name\\x1b]0;owned\\x07\\x1b[2J\\u{202e}日本語\\r\\nmore\\t\\x00        │
      │               (name\\x1b]0;owned\\x07\\x1b[2J\\u{202e}日本語\\r\\nmore\\t\\x00) rule │
      │               name\\x1b]0;owned\\x07\\x1b[2J\\u{202e}日本語\\r\\nmore\\t\\x00 from   │
      │               name\\x1b]0;owned\\x07\\x1b[2J\\u{202e}日本語\\r\\nmore\\t\\x00        │
      │ in /tmp/name\\x1b]0;owned\\x07\\x1b[2J\\u{202e}日本語\\r\\nmore\\t\\x00              │
      │                                                                              │
      │ y once                                                                       │
      │ a always: Bash(name\\x1b]0;owned\\x07\\x1b[2J\\u{202e}日本語\\r\\nmore\\t\\x00) in … │
      │ e edit   n no   d no, and say why   Esc no, and stop                         │
      └──────────────────────────────────────────────────────────────────────────────┘
      "
    `);
  });

  test('of a rule before it is added', async () => {
    expect(await look('permission: always')).toMatchInlineSnapshot(`
      "
      ┌ bash wants to run ───────────────────────────────────────────── in shop-api ─┐
      │   npm run build                                                              │
      │   with timeout: 60                                                           │
      │                                                                              │
      │ always allow  Bash(npm run build)                                            │
      │ holds         ● in this project   ○ in this session                          │
      │                                                                              │
      │ Enter add the rule and go ahead   Tab where it holds   Esc back              │
      └──────────────────────────────────────────────────────────────────────────────┘
      "
    `);
  });

  test('of a question', async () => {
    expect(await look('question')).toMatchInlineSnapshot(`
      "
      ┌ Database ─────────────────────────────────────────────────────────── 1 of 2 ─┐
      │ Which database should the new service use?                                   │
      │ It decides how migrations are written.                                       │
      │                                                                              │
      │ ❯ 1 [ ] PostgreSQL                                                           │
      │         what the other services use                                          │
      │   2 [ ] SQLite                                                               │
      │         no server, one file; enough for one node, and easy to back up        │
      │   3 [ ] 日本語のデータベース name日本語 more                                 │
      │         name日本語 more                                                      │
      │   or type your own answer                                                    │
      │                                                                              │
      │ ↑↓ move   Space tick   Enter next   Esc decline                              │
      └──────────────────────────────────────────────────────────────────────────────┘
      "
    `);
  });

  test('of the first run', async () => {
    expect(await look('first run')).toMatchInlineSnapshot(`
      "
      ▌ Which model should work here?   1 of 6
      ▌ › type to filter
      ▌ 
      ▌ ❯ ollama     coder:30b                         32k  tools          local
      ▌              small:3b                           4k  no tools       local
      ▌   anthropic  large-1                          200k  tools images   $3/$15    
      ▌   gateway    name\\x1b]0;owned\\x07\\x1b[2J\\u…    32k  tools          local
      ▌   add a provider…    any OpenAI-compatible address
      ▌   offline demo       no model, no network: watch a scripted session
      ▌ 
      ▌ running here · 32k context
      ▌ context 32k (server) · tools (server) · no images (assumed) · costs nothing ·
      ▌ answers up to 8k (assumed)
      ▌ 
      ▌ ↑↓ move   Enter choose   Ctrl+R refresh   Esc quit
      "
    `);
  });

  test('of the first run where nothing was found', async () => {
    expect(await look('first run without anything')).toMatchInlineSnapshot(`
      "
      ▌ Which model should work here?   1 of 2
      ▌ No server answers on this machine, and no API key is set in the environment.
      ▌ Start Ollama, LM Studio, vLLM or llama.cpp and press Ctrl+R; or set a key
      ▌ such as ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY and start llmcode
      ▌ again.
      ▌ › type to filter
      ▌ 
      ▌ ❯ add a provider… any OpenAI-compatible address
      ▌   offline demo    no model, no network: watch a scripted session
      ▌ 
      ▌ vLLM, a gateway, another vendor: whatever speaks the OpenAI protocol
      ▌ what will be written is shown first
      ▌ 
      ▌ 
      ▌ ↑↓ move   Enter choose   Ctrl+R refresh   Esc quit
      "
    `);
  });
});
