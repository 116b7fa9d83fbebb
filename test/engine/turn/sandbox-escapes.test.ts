import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findSandboxProgram } from '#permissions/sandbox/find-program.ts';
import { confinedPlace, runConfined } from '../../support/engine/confined-thread.ts';

const program = await findSandboxProgram();
const where = program.kind === 'none' ? `skipped: ${program.why}` : program.kind;

const escapes = describe.skipIf(program.kind !== 'bubblewrap');

/** A raw system call; its result is the exit code's: 0 only when it was done. */
const raw = (code: string) => `perl -e '${code} or exit(9); print "REACHED"'`;
const isX64 = process.arch === 'x64';

escapes(`a command of the model cannot leave its sandbox (${where})`, () => {
  test('neither by writing outside nor by reading keys, its own settings or the processes of others', async () => {
    const place = await confinedPlace();
    const { base, userHome } = place;
    const pid = process.pid;
    const outside = path.join(process.cwd(), `.escape-${pid}`);
    const attempts = [
      `echo x > ${base}/escaped; echo x > ${userHome}/escaped; echo x > ${outside}; echo x > /etc/escaped-${pid}`,
      `mv ${base}/work ${base}/gone; rm -rf ${userHome}; ln ${userHome}/.ssh/id_rsa hard; true`,
      'cat ~/.ssh/id_rsa ~/.llmcode/config.json /proc/*/root"$HOME"/.ssh/id_rsa',
      'mkdir -p trap && cd trap && ln -s ~/.ssh keys && cat keys/id_rsa; cp -rL ~ copy; cat copy/.ssh/id_rsa',
      `cat /proc/${pid}/environ /proc/${pid}/cmdline; ls -l /proc/${pid}/fd /proc/${pid}/root; kill -0 ${pid}`,
      'cat /proc/1/environ /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -c VITEST',
      `dd if=/dev/zero of=/proc/${pid}/mem count=1; gdb -p ${pid} -batch 2>&1 | tail -1`,
    ];
    const { results } = await runConfined(place, attempts);
    const texts = (await results()).map(({ text }) => text);
    expect(texts.join('\n')).not.toContain('TOP-SECRET');
    expect(texts[4]).toMatch(/No such (file|process)/);
    expect(texts[4]).not.toContain('vitest');
    expect(texts[5]).toMatch(/^0\n/);
    for (const file of [path.join(base, 'escaped'), path.join(userHome, 'escaped'), outside])
      expect(existsSync(file)).toBe(false);
    expect(existsSync(`/etc/escaped-${pid}`)).toBe(false);
    expect(readFileSync(path.join(userHome, '.ssh', 'id_rsa'), 'utf8')).toBe('TOP-SECRET');
  });

  test('nor by the switches of the system, devices, mounts, name spaces or other rights', async () => {
    const place = await confinedPlace();
    const open = (file: string) => `: >> ${file} && echo REACHED`;
    const attempts = [
      // Opened and not written: what does not fail must do no harm.
      ...['/proc/sys/kernel/core_pattern', '/proc/sys/vm/drop_caches', '/proc/sysrq-trigger'].map(open),
      ...['/sys/kernel/profiling', '/sys/fs/cgroup/cgroup.procs', '/proc/irq/default_smp_affinity'].map(open),
      'mount -t tmpfs none /mnt && echo REACHED; mount -o remount,rw / && echo REACHED',
      'umount -l /proc && echo REACHED; umount -l ~/.ssh && cat ~/.ssh/id_rsa',
      'unshare -Ur id -u && echo REACHED; unshare -Um true && echo REACHED; unshare -n true && echo REACHED',
      'nsenter -t 1 -m -p true && echo "in its own"; nsenter -m/proc/1/ns/mnt cat ~/.ssh/id_rsa',
      'mknod disk b 8 0 && echo REACHED; ls /dev/sda* /dev/vda* /dev/mem /dev/kvm /dev/fuse && echo REACHED',
      'chroot / true && echo REACHED; setpriv --reuid 12345 true && echo REACHED',
      'sudo -n true && echo REACHED; su -c true nobody && echo REACHED',
      'cp /bin/sh own; chmod u+s own && echo REACHED; install -m 4755 /bin/sh other && echo REACHED',
      `${raw('open(my $f, ">", "made"); chmod(04755, $f)')}; ${raw('sysopen(my $f, "new", 0x41, 04755) and (stat $f)[2] & 04000')}`,
      'perl -e \'open(my $t, "<", "/dev/tty") or exit 9; ioctl($t, 0x5412, my $c = "x") and print "REACHED"\'',
    ];
    const { results, cwd } = await runConfined(place, attempts);
    const done = (await results()).map(({ text }, index) => [attempts[index], text]);
    expect(done.filter(([, text]) => /REACHED|TOP-SECRET/.test(text ?? ''))).toEqual([]);
    const modes = readdirSync(cwd).map((name) => lstatSync(path.join(cwd, name)).mode & 0o4000);
    expect(modes).toEqual(modes.map(() => 0));
  });

  test.skipIf(!isX64)(
    'nor by calls that no name space holds: keys, programs of the kernel, rings',
    async () => {
      const calls = [
        'syscall(250, 0, -3, 0) >= 0', // keyctl
        'syscall(248, "user", "k", "v", 1, -3) >= 0', // add_key
        'syscall(321, 0, 0, 0) >= 0', // bpf
        'syscall(425, 8, "\\0" x 120) >= 0', // io_uring_setup
        'syscall(298, "\\0" x 120, 0, -1, -1, 0) >= 0', // perf_event_open
        'syscall(41, 40, 1, 0) >= 0', // socket of a virtual machine's host
        'syscall(165, "none", "/mnt", "tmpfs", 0, 0) >= 0', // mount
        'syscall(101, 16, PID, 0, 0) >= 0'.replace('PID', String(process.pid)), // ptrace of a process outside
      ];
      const { results } = await runConfined(await confinedPlace(), calls.map(raw));
      expect((await results()).filter(({ text }) => text.includes('REACHED'))).toEqual([]);
    },
  );

  test('nor over the network, names of hosts or sockets of services', async () => {
    const place = await confinedPlace();
    const reached: string[] = [];
    const listening = async (at: string | number) => {
      const server = createServer((socket) => {
        reached.push(String(at));
        socket.end('REACHED');
      });
      await new Promise<void>((resolve) =>
        typeof at === 'number' ? server.listen(at, '127.0.0.1', resolve) : server.listen(at, resolve),
      );
      onTestFinished(() => void server.close());
      const address = server.address();
      return typeof address === 'object' ? address?.port : undefined;
    };
    const port = await listening(0);
    const agent = path.join(place.userHome, '.ssh', 'agent.sock');
    const docker = path.join(place.base, 'docker.sock');
    for (const file of [agent, docker, `\0llmcode-abstract-${process.pid}`]) await listening(file);
    const connect = (to: unknown) =>
      `node -e 'require("net").connect(${JSON.stringify(to)}).on("data", (d) => console.log(String(d))).on("error", (e) => console.log(e.code))'`;
    const attempts = [
      `exec 7<>/dev/tcp/127.0.0.1/${port} && cat <&7`,
      connect({ host: '127.0.0.1', port }),
      connect({ path: agent }),
      connect({ path: docker }),
      connect({ path: `\0llmcode-abstract-${process.pid}` }).replace('\\u0000', '\\0'),
      'for s in /run/docker.sock /var/run/docker.sock /run/dbus/system_bus_socket /run/user/*/bus; do [ -S $s ] && echo REACHED; done; env | grep -E "SSH_AUTH_SOCK|DBUS|XDG_RUNTIME" && echo REACHED',
      'node -e \'require("dns").resolve("example.com", (e) => console.log(e ? e.code : "REACHED"))\'',
      'node -e \'const s = require("dgram").createSocket("udp4"); s.send("x", 53, "192.0.2.1", (e) => { console.log(e ? e.code : "REACHED"); s.close(); })\'',
    ];
    const { results } = await runConfined(place, attempts, { sandbox: { network: 'off' } });
    const done = (await results()).map(({ text }, index) => [attempts[index], text]);
    expect(done.filter(([, text]) => text?.includes('REACHED'))).toEqual([]);
    expect(reached).toEqual([]);
  });

  test('nor by what it leaves running, and a terminal of its own ends with it too', async () => {
    const place = await confinedPlace();
    const mark = `sleep 76543.${process.pid}`;
    const attempts = [
      `setsid nohup ${mark} >/dev/null 2>&1 & disown; (${mark} &) & perl -e 'fork and exit; fork and exit; exec "sleep", "76543.${process.pid}"' & sleep 0.1; echo left`,
      {
        command: `tty; setsid ${mark} & (trap "" HUP; exec ${mark}) & sleep 0.1; test -t 0 && stty size`,
        pty: true,
      },
      {
        command: 'perl -e \'ioctl(STDIN, 0x5412, my $c = "x") ? print "REACHED" : print "held: $!"\'',
        pty: true,
      },
    ];
    const { results } = await runConfined(place, attempts);
    const [left, terminal, typing] = await results();
    expect(left?.text).toContain('left running in the background were ended');
    expect(terminal?.text).toContain('40 120');
    expect(typing?.text).toContain('held: Operation not permitted');
    const running = readdirSync('/proc').filter(
      (pid) => /^\d+$/.test(pid) && commandLine(pid).includes(mark),
    );
    expect(running).toEqual([]);
  });

  test('a swapped workspace or folder leads nowhere', async () => {
    const place = await confinedPlace();
    const { cwd, userHome } = place;
    execFileSync('git', ['init', '-q'], { cwd });
    mkdirSync(path.join(cwd, 'sub', '.vscode'), { recursive: true });
    const { results } = await runConfined(place, [
      `rm -rf sub; mv ${cwd} ${cwd}.old; ln -s ${userHome} ${cwd}; true`,
      `mkdir -p a && mv sub a/sub; ln -s ${userHome}/.ssh sub; echo evil > sub/authorized_keys; cat sub/id_rsa; true`,
      'mv .git gone || rm -rf .git || ln -s gone .git; true',
      'rm -rf .git/hooks && mkdir .git/hooks && echo evil > .git/hooks/pre-commit; true',
    ]);
    const texts = (await results()).map(({ text }) => text).join('\n');
    expect(texts).not.toContain('TOP-SECRET');
    expect(lstatSync(cwd).isDirectory()).toBe(true);
    expect(existsSync(path.join(userHome, '.ssh', 'authorized_keys'))).toBe(false);
    expect(readdirSync(path.join(cwd, '.git', 'hooks'))).not.toContain('pre-commit');
  });
});

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return ''; // It has just ended.
  }
}

escapes(`secrets and guarded places of the workspace (${where})`, () => {
  test('secrets are hidden until the person named them, allowed or set them', async () => {
    const place = await confinedPlace();
    const { cwd } = place;
    const files = [
      '.env',
      'packages/api/.env.local',
      'deploy.key',
      '.env.example',
      'test/fixtures/server.key',
    ];
    for (const file of files) {
      mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
      writeFileSync(path.join(cwd, file), `VALUE-OF ${file}`);
    }
    const command = `cat ${files.join(' ')}; mv packages x; cat x/api/.env.local; cp .env free; cat free`;
    const [plain] = await (await runConfined(place, [command])).results();
    expect(plain?.text).toContain('VALUE-OF .env.example');
    expect(plain?.text).toContain('VALUE-OF test/fixtures/server.key');
    expect(plain?.text).not.toMatch(/VALUE-OF (\.env$|\.env\n|packages|deploy)/m);
    expect(plain?.result).toMatchObject({ code: 'sandbox' });
    const grant = { isGranted: true, needsOutside: false, files: [path.join(cwd, '.env')] };
    const [named] = await (await runConfined(place, ['cat .env deploy.key'], { grant })).results();
    expect(named?.text).toContain('VALUE-OF .env');
    expect(named?.text).not.toContain('VALUE-OF deploy');
    const sandbox = { readable: ['deploy.key'] };
    const [set] = await (await runConfined(place, ['cat deploy.key; cat .env'], { sandbox })).results();
    expect(set?.text).toContain('VALUE-OF deploy.key');
    expect(set?.text).not.toContain('VALUE-OF .env');
  });

  const attacks = [
    'echo "{}" > .mcp.json',
    'mkdir -p .claude && echo "{}" > .claude/settings.json',
    'mkdir -p deep/er/.vscode && echo "{}" > deep/er/.vscode/tasks.json',
    'git init -q own && echo evil > own/.git/hooks/pre-commit && chmod +x own/.git/hooks/pre-commit',
    'git init -q bad && git -C bad config core.fsmonitor ./evil',
    'mv guarded g2 && mkdir -p guarded/.vscode && echo "{}" > guarded/.vscode/tasks.json',
    'git init -q aside && printf "gitdir: aside/.git" > .git',
  ];

  test('what makes programs run later is taken away when a command made it, and nothing else is', async () => {
    const place = await confinedPlace();
    const { cwd } = place;
    mkdirSync(path.join(cwd, 'guarded', '.vscode'), { recursive: true });
    const grant = { isGranted: false, needsOutside: false };
    const { results } = await runConfined(
      place,
      [...attacks, 'git init -q fine && git -C fine config user.name x && touch fine/kept'],
      { grant },
    );
    const all = await results();
    for (const [index, attack] of attacks.entries())
      expect([attack, all[index]?.text]).toEqual([
        attack,
        expect.stringContaining('the sandbox took that away'),
      ]);
    expect(all.at(-1)?.text).toBe('(no output)');
    for (const gone of [
      '.mcp.json',
      '.claude',
      'deep/er/.vscode',
      'own/.git/hooks/pre-commit',
      'bad/.git/config',
      'guarded/.vscode',
      '.git',
    ])
      expect([gone, existsSync(path.join(cwd, gone))]).toEqual([gone, false]);
    expect(existsSync(path.join(cwd, 'fine', '.git', 'config'))).toBe(true);
  });

  test('the person is asked whether it comes back, unless they allowed it by name', async () => {
    const place = await confinedPlace();
    const named = { isGranted: true, needsOutside: false, files: [path.join(place.cwd, '.mcp.json')] };
    const [allowed] = await (
      await runConfined(place, ['echo 1 > .mcp.json; echo 2 > .mcp.json'], { grant: named })
    ).results();
    expect([allowed?.text, readFileSync(path.join(place.cwd, '.mcp.json'), 'utf8')]).toEqual([
      '(no output)',
      '2\n',
    ]);
    rmSync(path.join(place.cwd, '.mcp.json'));
    const { ended, next, handle, results } = await runConfined(place, ['echo "{}" > .mcp.json'], {
      thread: { canAsk: true },
    });
    const { request } = await next('permission-request');
    expect(request.reasons).toMatchObject([
      { check: 'made-in-sandbox', text: expect.stringContaining('.mcp.json') },
    ]);
    expect(existsSync(path.join(place.cwd, '.mcp.json'))).toBe(false);
    handle.submit({ kind: 'answer-permission', requestId: request.id, answer: { kind: 'once' } });
    await ended;
    expect(readFileSync(path.join(place.cwd, '.mcp.json'), 'utf8')).toBe('{}\n');
    expect((await results())[0]?.text).toContain('.mcp.json is back');
    rmSync(path.join(place.cwd, '.mcp.json'));
  });

  test('git commits with hooks and settings fixed; a signed commit says that keys are hidden', async () => {
    const place = await confinedPlace();
    const { cwd } = place;
    const git = (...args: string[]) => execFileSync('git', args, { cwd, stdio: 'ignore' });
    git('init', '-q');
    git('config', 'user.name', 'T');
    git('config', 'user.email', 't@example.org');
    const { results } = await runConfined(place, [
      'echo x > file && git add -A && git commit -qm one && git branch other && git tag v1 && git stash list && git log --format=%s',
      'git commit -q --allow-empty -S -m signed',
      'git commit -q --allow-empty -S -m signed -c x 2>/dev/null; git -c gpg.format=ssh -c user.signingkey=~/.ssh/id_rsa commit -q --allow-empty -S -m two',
    ]);
    const [plain, signed, ssh] = await results();
    expect([plain?.text, plain?.result?.status]).toEqual(['one', 'ok']);
    expect(signed?.result).toMatchObject({
      code: 'sandbox',
      summary: expect.stringContaining('gpg failed to sign'),
    });
    expect(ssh?.result).toMatchObject({ code: 'sandbox' });
  });

  test('the folder for temporary files is one inside and outside, and the only one that others see', async () => {
    const place = await confinedPlace();
    const { results, scratch, close } = await runConfined(place, [
      'echo kept > "$TMPDIR/x"; echo lost > /tmp/y; stat -c %a "$TMPDIR"',
      'cat "$TMPDIR/x"; readlink -f "$TMPDIR"',
    ]);
    const [first, second] = await results();
    expect(first?.text).toBe('700');
    expect(second?.text).toBe(`kept\n${scratch}`);
    expect(readFileSync(path.join(scratch, 'x'), 'utf8')).toBe('kept\n');
    await close();
    expect(existsSync(scratch)).toBe(false);
  });
});
