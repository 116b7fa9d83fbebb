// The bundle's entry. Nothing is loaded here that the first paint does not need.
import { hostOf } from './host.ts';
import { run } from './run.ts';

const host = hostOf(process.argv.slice(2), process);

// Raw mode comes first: what the person types while the screen loads waits in the terminal, unechoed.
if (host.argv.length === 0 && host.stdin.isTTY && host.stdout.isTTY) host.stdin.setRawMode(true);

// When this runs the screen has put the terminal back.
host.onCrash((error) => {
  void import('./report-failure.ts').then(({ reportFailure }) => process.exit(reportFailure(host, error)));
});
const code = await run(host);
await Promise.all([flushed(host.stdout), flushed(host.stderr)]);
// A handle that someone left open must not keep the process: its result is out.
process.exit(code);

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.writableLength === 0 || stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });
}
