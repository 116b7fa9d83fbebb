// A language server that behaves badly, in the way that its argument names.
const [, , way, log] = process.argv;

import { appendFileSync } from 'node:fs';

if (log) appendFileSync(log, `${process.pid}\n`);

const send = (message) => {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
};

if (way === 'exits') {
  process.stderr.write('license expired\n');
  process.exit(3);
}
if (way === 'garbage') process.stdout.write(`${'<html>welcome</html>'.repeat(1_000)}\r\n\r\n`);
if (way === 'gigabyte') process.stdout.write('Content-Length: 1000000000\r\n\r\n{');

let held = '';
process.stdin.setEncoding('latin1').on('data', (chunk) => {
  held += chunk;
  for (;;) {
    const head = /Content-Length: (\d+)\r\n\r\n/.exec(held);
    if (!head) return;
    const start = head.index + head[0].length;
    if (held.length < start + Number(head[1])) return;
    const message = JSON.parse(held.slice(start, start + Number(head[1])));
    held = held.slice(start + Number(head[1]));
    answer(message);
  }
});

function answer({ id, method }) {
  if (way === 'silent' || id === undefined) return;
  if (method === 'initialize') return send({ id, result: { capabilities: {} } });
  if (way === 'mute') return;
  if (way === 'crashes') process.exit(1);
  if (way === 'lies')
    send({
      id,
      result: [{ uri: 7 }, null, 'x', { uri: 'jar:///a', range: { start: { line: 1, character: 1 } } }],
    });
}
