import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findSandboxProgram } from '#permissions/sandbox/find-program.ts';
import { createSandbox } from '#permissions/sandbox/sandbox.ts';
import { permissionSettings } from '#permissions/settings.ts';
import type { CommandGrant } from '#protocol/sandbox.ts';
import type { ToolContext } from '#protocol/tool.ts';
import { textOf, toolBench } from '../tools/tool-bench.ts';

const program = await findSandboxProgram();
const where = program.kind === 'none' ? `skipped: ${program.why}` : program.kind;
const unasked: CommandGrant = { isGranted: false, needsOutside: false };
const granted: CommandGrant = { isGranted: true, needsOutside: false };

/** The bash tool in a workspace with a home folder full of secrets beside it. */
function confined(setting: unknown = 'auto') {
  const bench = toolBench();
  const base = path.dirname(bench.folder);
  const userHome = path.join(base, 'home');
  mkdirSync(path.join(userHome, '.ssh'), { recursive: true });
  writeFileSync(path.join(userHome, '.ssh', 'id_rsa'), 'TOP-SECRET');
  writeFileSync(path.join(userHome, '.netrc'), 'TOP-SECRET');
  const home = path.join(userHome, '.llmcode');
  mkdirSync(home);
  writeFileSync(path.join(home, 'config.json'), '{"key":"TOP-SECRET"}');
  const settings = permissionSettings.parse({ sandbox: setting }).sandbox;
  const sandbox = createSandbox({
    tempFolder: base,
    settings: () => settings,
    roots: [bench.folder],
    home,
    userHome,
  });
  const childEnv = { PATH: process.env['PATH'] ?? '', HOME: userHome };
  const run = async (command: string, grant = unasked, more: { timeout?: number } = {}) => {
    const placeFor: ToolContext['placeFor'] = (cwd) =>
      sandbox.placeFor({ cwd, filesDir: bench.ctx.filesDir, grant });
    const result = await bench.run('bash', { command, ...more }, { childEnv, placeFor });
    // Nothing is held back where nothing ran.
    expect(['no_sandbox', 'not_started']).not.toContain(result.code);
    return result;
  };
  return { ...bench, base, userHome, home, run };
}

async function listening(target: string | number): Promise<Server> {
  const server = createServer((socket) => socket.end('REACHED'));
  await new Promise<void>((resolve) =>
    typeof target === 'number' ? server.listen(target, '127.0.0.1', resolve) : server.listen(target, resolve),
  );
  onTestFinished(() => void server.close());
  return server;
}

const connect = (to: string) =>
  `node -e 'require("net").connect(${to}).on("data", (d) => console.log(String(d))).on("error", (e) => { console.error(e.code); process.exit(1); })'`;

function runs(words: string): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(words);
    } catch {
      return false;
    }
  });
}

function repository(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  git('init', '-q');
  git('config', 'user.name', 'T');
  git('config', 'user.email', 't@example.org');
}

describe.skipIf(program.kind !== 'bubblewrap')(`escapes from the sandbox (${where})`, () => {
  it('a write outside of the workspace fails, and the result says why', async () => {
    const { run, base } = confined();
    const target = path.join(process.cwd(), `.escape-${process.pid}`);
    const result = await run(`echo x > '${target}'`, granted);
    expect(result).toMatchObject({ status: 'error', code: 'sandbox' });
    expect(result.summary).toContain(target);
    expect(textOf(result)).toContain('The sandbox stood in its way');
    await run(`echo x > '${base}/escaped'; echo x > /tmp/escaped-${process.pid}`, granted);
    for (const file of [target, `${base}/escaped`, `/tmp/escaped-${process.pid}`])
      expect(existsSync(file)).toBe(false);
  });

  it.each([
    'mount -o remount,rw,bind / && touch /escaped',
    'unshare -Urm true',
    'umount -l /run || umount -l "$HOME/.ssh"',
    'mknod disk b 8 0',
    'chroot /proc/1/root true',
  ])('no rights to be had: %s', async (command) => {
    expect((await confined().run(command, granted)).status).toBe('error');
  });

  it('has no capabilities, no new privileges and a filter of system calls', async () => {
    const text = textOf(
      await confined().run("grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status"),
    );
    expect(text).toMatch(/CapEff:\s+0{16}/);
    expect(text).toMatch(/CapBnd:\s+0{16}/);
    expect(text).toMatch(/NoNewPrivs:\s+1/);
    expect(text).toMatch(/Seccomp:\s+2/);
  });

  it.each([
    'cat ~/.ssh/id_rsa ~/.netrc ~/.llmcode/config.json',
    'ls -R ~/.ssh; cd ~/.ssh && cat id_rsa',
    'cat /proc/1/root"$HOME"/.ssh/id_rsa',
    'for p in /proc/[0-9]*; do cat $p/root"$HOME"/.ssh/id_rsa $p/cwd/../home/.netrc; done',
    'ln -s ~/.ssh/id_rsa link; cat link; ln ~/.netrc hard; cat hard; cp -r ~ copy; cat copy/.ssh/*; chmod -R u+rwx .',
    'chmod -R 777 ~/.ssh ~/.netrc; cat ~/.ssh/id_rsa ~/.netrc',
    'tar cf - ~ | strings',
  ])('keys are not to be had: %s', async (command) => {
    expect(textOf(await confined().run(command, granted))).not.toContain('TOP-SECRET');
  });

  it('sees no process outside, neither its environment nor its files', async () => {
    const { run } = confined();
    const text = textOf(
      await run(
        `kill -0 ${process.pid}; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'; ls -d /proc/${process.pid} /proc/${process.ppid}`,
      ),
    );
    expect(text).not.toContain('VITEST');
    expect(text).not.toContain('bwrap --version');
    expect(text.match(/No such (file|process)/g)?.length).toBeGreaterThanOrEqual(1);
  });

  it('what runs unasked reaches no server of this machine; what was allowed does', async () => {
    const { run } = confined();
    const address = (await listening(0)).address();
    const port = typeof address === 'object' ? address?.port : 0;
    const refused = await run(connect(`${port}, "127.0.0.1"`));
    expect(refused).toMatchObject({ status: 'error', code: 'sandbox' });
    expect(textOf(await run(connect(`${port}, "127.0.0.1"`), granted))).toBe('REACHED');
    expect(
      textOf(await confined({ network: 'off' }).run(connect(`${port}, "127.0.0.1"`), granted)),
    ).not.toContain('REACHED');
    expect(textOf(await confined('required').run(connect(`${port}, "127.0.0.1"`), granted))).not.toContain(
      'REACHED',
    );
  });

  it('reaches no Unix socket outside of the workspace, named or abstract', async () => {
    const { run, base, folder } = confined();
    const place = path.join(process.cwd(), 'node_modules', `.sandbox-${process.pid}.sock`);
    const open = existsSync(path.dirname(place)) && isWritable(path.dirname(place)) ? [place] : [];
    for (const file of [path.join(base, 'agent.sock'), ...open, `\0llmcode-${process.pid}`]) {
      await listening(file);
      const text = textOf(await run(connect(JSON.stringify({ path: file }))));
      expect(text).not.toContain('REACHED');
    }
    await listening(path.join(folder, 'own.sock'));
    expect(textOf(await run(connect('"own.sock"')))).toBe('REACHED');
  });

  it('nothing survives: not in a session of its own, not after a timeout, not after a kill of its parent', async () => {
    const { run } = confined();
    const mark = `sleep 98765.${process.pid}`;
    const left = await run(`setsid nohup ${mark} >/dev/null 2>&1 & disown; echo started`);
    expect(textOf(left)).toContain('left running in the background were ended');
    await run(`(setsid ${mark} &) ; ${mark}`, unasked, { timeout: 0.3 });
    await run(`setsid ${mark} & kill -9 $PPID`);
    expect(runs(mark.replace(' ', '\0'))).toBe(false);
  });

  it('what makes git or an agent run programs cannot be written, moved away or replaced', async () => {
    const { run, folder } = confined();
    repository(folder);
    mkdirSync(path.join(folder, '.claude'));
    writeFileSync(path.join(folder, '.mcp.json'), '{}');
    const attacks = [
      'echo evil > .git/hooks/pre-commit',
      'git config core.fsmonitor evil',
      'mv .git gone',
      'mv .git/hooks gone && mkdir .git/hooks',
      'rm -rf .git/hooks',
      'mv .git/config x && echo evil > .git/config',
      'echo evil > .claude/settings.json',
      'mv .claude x',
      'echo evil > .mcp.json',
      'rm .mcp.json',
    ];
    const before = readFileSync(path.join(folder, '.git/config'), 'utf8');
    for (const attack of attacks)
      expect([attack, (await run(attack, granted)).status]).toEqual([attack, 'error']);
    expect(readFileSync(path.join(folder, '.git/config'), 'utf8')).toBe(before);
    expect(readdirSync(path.join(folder, '.git/hooks'))).not.toContain('pre-commit');
    expect(readFileSync(path.join(folder, '.mcp.json'), 'utf8')).toBe('{}');
  });

  it('a .git file cannot open a folder elsewhere; the one of a work tree opens its repository', async () => {
    const { run, folder, base, userHome } = confined();
    writeFileSync(path.join(folder, '.git'), `gitdir: ${userHome}/.ssh\n`);
    expect((await run('echo x > ~/.ssh/authorized_keys', granted)).status).toBe('error');
    rmSync(path.join(folder, '.git'));
    const main = path.join(base, 'main');
    mkdirSync(main);
    repository(main);
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'one'], { cwd: main });
    rmSync(folder, { recursive: true });
    execFileSync('git', ['worktree', 'add', '-q', folder], { cwd: main });
    const result = await run('git commit -q --allow-empty -m two && git log --oneline | wc -l', granted);
    expect([textOf(result), result.status]).toEqual(['2', 'ok']);
    expect((await run(`echo evil > '${main}/.git/hooks/pre-commit'`, granted)).status).toBe('error');
  });
});

describe.skipIf(program.kind !== 'bubblewrap')(`everyday work in the sandbox (${where})`, () => {
  it.each([
    ['node', 'node -p 1+1', '2'],
    ['an exit code', 'exit 3', '(no output)\n[exit code 3]'],
    ['the shell killed', 'kill -9 $$', '(no output)\n[exit code 137]'],
    ['both streams in order', 'echo a; echo b >&2; echo c > /dev/stdout; echo d > /dev/stderr', 'a\nb\nc\nd'],
    ['a substitution that is slower than its command', 'echo x | tee >(sleep 0.05; cat) >/dev/null', 'x'],
    ['a here-document', 'cat <<E\nx\nE', 'x'],
    [
      'shared memory and devices',
      'echo x > /dev/shm/a && cat /dev/shm/a && head -c1 /dev/zero | wc -c',
      'x\n1',
    ],
    [
      'a terminal with colours',
      'script -qec \'test -t 1 && printf "\\033[31mred\\033[0m"\' /dev/null',
      'red',
    ],
    [
      'a server and its client',
      `node -e 'require("http").createServer((q, s) => { s.end("up"); process.exitCode = 0; }).listen(0, function () { fetch("http://127.0.0.1:" + this.address().port).then((r) => r.text()).then((t) => { console.log(t); process.exit(); }); })'`,
      'up',
    ],
  ])('%s', async (_what, command, text) => {
    expect(textOf(await confined().run(command)).replaceAll(/\x1b\[\d*m|\r/g, '')).toBe(text);
  });

  it('temporary files live from one command to the next', async () => {
    const { run } = confined();
    await run('echo kept > "$TMPDIR/x"; echo also > /var/tmp/y');
    expect(textOf(await run('cat /tmp/x /tmp/y'))).toBe('kept\nalso');
  });

  it('git and npm work, and what they make stands in the workspace', async () => {
    const { run, folder } = confined();
    repository(folder);
    const script = 'mkdir -p dist && cp package.json dist/out.json';
    writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ name: 'x', scripts: { build: script } }),
    );
    writeFileSync(path.join(folder, '.gitignore'), 'dist\n');
    const result = await run(
      'npm run --silent build && git add -A && git commit -qm one && git status --short --branch && git log --format=%s',
      granted,
    );
    expect([result.status, textOf(result).split('\n').at(-1)]).toEqual(['ok', 'one']);
    expect(existsSync(path.join(folder, 'dist/out.json'))).toBe(true);
  });

  it('an interrupt ends it all, after the last words of what wants to say some', async () => {
    const { run, abort, progress } = confined();
    const mark = `sleep 87654.${process.pid}`;
    const running = run(`trap 'echo last words; exit' TERM; ${mark} & echo ready; wait`);
    await expect.poll(() => JSON.stringify(progress)).toContain('ready');
    abort.abort();
    const result = await running;
    expect(result.status).toBe('aborted');
    expect(textOf(result)).toContain('last words');
    expect(runs(mark.replace(' ', '\0'))).toBe(false);
  });

  it('output of many megabytes is complete', async () => {
    const { run } = confined();
    const result = await run('yes 0123456789 | head -n 1000000; echo end');
    expect(result.summary).toBe('1,000,001 lines');
    expect(textOf(result)).toContain('end');
  });
});

function isWritable(folder: string): boolean {
  try {
    const file = path.join(folder, `.try-${process.pid}`);
    writeFileSync(file, '');
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}
