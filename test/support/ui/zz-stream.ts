import { startScreen } from '#ui/screen.tsx';
import { createFakeHandle, createFakePort } from './fake-port.ts';
const handle = createFakeHandle();
const submit = handle.submit;
handle.submit = (action) => {
  submit(action);
  if (action.kind !== 'prompt') return;
  handle.emit({ kind: 'message-added', message: { id: 'u', role: 'user', parts: [{ id: 'p', kind: 'text', text: action.text }], createdAt: 0 } }, { kind: 'turn-start' }, { kind: 'message-start', messageId: 'a', model: { provider: 'p', model: 'm' } }, { kind: 'text-start', messageId: 'a', partId: 't' });
  const words = 'the quick brown fox jumps over the lazy dog and then some more words to make a paragraph'.split(' ');
  let n = 0; let all = '';
  const total = Number(process.env['TOTAL'] ?? 2000);
  const per = Number(process.env['PER'] ?? 1);
  const before = process.cpuUsage();
  const timer = setInterval(() => {
    for (let k = 0; k < per; k++) {
    const text = n % 60 === 59 ? '\n\n' : n % 200 === 0 ? '\n## Head\n\n- item\n' : `${words[n % words.length]} `;
    all += text;
    handle.emit({ kind: 'text-delta', messageId: 'a', partId: 't', text });
    if (++n === total) {
      clearInterval(timer);
      handle.emit({ kind: 'text-end', messageId: 'a', part: { id: 't', kind: 'text', text: `${all} THE-END` } }, { kind: 'message-end', messageId: 'a', finish: 'stop', usage: null, costUsd: null }, { kind: 'turn-end', reason: 'done', steps: 1, durationMs: 1 });
      setTimeout(() => { const c = process.cpuUsage(before); process.stderr.write(''); require('node:fs').writeFileSync('/tmp/lat/cpu.txt', JSON.stringify({ cpu: (c.user + c.system) / 1e6, rss: process.memoryUsage().rss / 1e6 })); }, 300);
      return;
    }
    }
  }, 5);
};
const port = createFakePort({ handle });
process.stdin.setRawMode(true);
const { stdin, stdout, stderr, env } = process;
await startScreen(port, { stdin, stdout, stderr, env });
