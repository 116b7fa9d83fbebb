import { test } from 'vitest';
import { loadExchanges } from '/work/main/test/unit/providers/support/exchanges.ts';
import { differences, replay } from '/work/main/test/unit/providers/support/replay.ts';
test('corpus', async () => {
  let ok = 0; const bad: string[] = [];
  for (const e of loadExchanges()) {
    const o = await replay(e, {cutting: (process.env.CUT ?? "recorded") as never});
    const d = differences(e, o);
    if (d.length === 0) ok++; else bad.push(`${e.id} [${e.api}]\n    ` + d.join('\n    '));
  }
  console.log(bad.join('\n'));
  console.log('OK', ok, 'of', ok + bad.length);
}, 120000);
