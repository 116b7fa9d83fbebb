import { Screen } from './screen.tsx';

const n = Number(process.argv[2] ?? 1000);
const body = (i: number) =>
  `## Step ${i}\n\nFirst, **the parser** and then \`call()\` is called: keeps a small table of open spans and closes each one when its fence ends.\n\n- one item\n- two items\n\n\`\`\`ts\nexport async function loadConfig${i}(file: string) {\n  const text = await readFile(file, 'utf8');\n  return { ...defaults, ...parsed.data };\n}\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`;
const screen = new Screen({ width: 120, height: 36, debug: false });
for (let i = 0; i < n; i += 1) screen.scene.user(`message ${i}`).begin().text(body(i)).end();
const t0 = performance.now();
await screen.settle();
console.log('first paint of thread', (performance.now() - t0).toFixed(1));
screen.scene.user('go').turn().begin().textStart();
await screen.settle();
await new Promise((r) => setTimeout(r, 1500));
let text = '';
for (let i = 0; text.length < 80_000; i += 1) text += body(i);
const tokens = text.match(/.{1,4}/gs) ?? [];
screen.output.frames.length = 0;
screen.paints.length = 0;
const cpu0 = process.cpuUsage();
const loops: number[] = [];
let i = 0;
const rate = 7; // tokens per frame (200/s)
const lats: number[] = [];
while (i < Math.min(tokens.length, 2000)) {
  for (let k = 0; k < rate && i < tokens.length; k += 1, i += 1) screen.scene.delta(tokens[i] ?? '');
  const a = performance.now();
  screen.store.publishNow();
  loops.push(performance.now() - a);
  await new Promise((r) => setTimeout(r, 17));
}
const cpu = process.cpuUsage(cpu0);
const med = (v: number[]) => [...v].sort((a, b) => a - b)[Math.floor(v.length / 2)] ?? 0;
const p95 = (v: number[]) => [...v].sort((a, b) => a - b)[Math.floor(v.length * 0.95)] ?? 0;
const bytes = screen.output.frames.reduce((s, f) => s + Buffer.byteLength(f), 0);
console.log({
  n,
  tokens: i,
  publishMs: [med(loops).toFixed(2), p95(loops).toFixed(2)],
  paints: screen.paints.length,
  paintMs: [med(screen.paints).toFixed(2), p95(screen.paints).toFixed(2)],
  bytes,
  writes: screen.output.frames.length,
  cpuMs: (cpu.user + cpu.system) / 1000,
  rss: Math.round(process.memoryUsage().rss / 1e6),
});
process.exit(0);
