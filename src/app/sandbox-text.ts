import type { Environment } from '#lib/paths.ts';
import { examineSandbox, type SandboxFinding } from '#permissions/sandbox/examine.ts';
import type { SandboxProgram } from '#permissions/sandbox/find-program.ts';
import type { Sandbox } from '#permissions/sandbox/sandbox.ts';
import type { CommandGrant } from '#protocol/sandbox.ts';
import type { Composition } from './compose.ts';

/** Unasked: what only reads, and what `auto_allow` lets run. */
const unasked: CommandGrant = { isGranted: false, needsOutside: false };
const granted: CommandGrant = { isGranted: true, needsOutside: false };

export type SandboxReport = {
  program: SandboxProgram;
  /** What it is set to, as a sentence. */
  setting: string;
  /** Of commands that run unasked; what others may do beyond it stands in `setting`. Empty without a sandbox. */
  findings: readonly SandboxFinding[];
};

/** What the sandbox of a session really holds back, tried now. */
export async function examineSession(composition: Composition, env: Environment): Promise<SandboxReport> {
  const { sandbox, cwd } = composition;
  const program = await sandbox.program();
  const setting = settingText(composition);
  if (program.kind === 'none') return { program, setting, findings: [] };
  return { program, setting, findings: await examineSandbox(sandbox, { cwd, env, grant: unasked }) };
}

export function programText(program: SandboxProgram): string {
  switch (program.kind) {
    case 'none':
      return program.why;
    case 'bubblewrap':
      return program.hasUserLimit ? program.version : `${program.version}, without --disable-userns`;
    case 'seatbelt':
      return 'sandbox-exec';
  }
}

export async function sandboxText(composition: Composition, env: Environment): Promise<string> {
  const { program, setting, findings } = await examineSession(composition, env);
  const { mode } = composition.settings.values.sandbox;
  if (program.kind === 'none') {
    const effect =
      mode === 'required'
        ? 'Commands are refused: a sandbox is required.'
        : 'Commands run without one; the permission mode and the rules decide what they may do.';
    const advice = mode === 'off' ? ' `/sandbox auto` turns it on where one works.' : '';
    return `No sandbox: ${programText(program)}. ${effect}${advice}${mode === 'off' ? '' : `\n\n${setting}`}`;
  }
  const rows = findings.map(({ isHeld, text }) => `- ${isHeld ? '✓' : '✗'} ${text}`);
  return [
    `Commands of the model run in a sandbox (${programText(program)}). Tried now:`,
    '',
    ...rows,
    '',
    setting,
  ].join('\n');
}

function settingText({ settings, sandbox, roots }: Composition): string {
  const { mode, writable, readable, auto_allow: isHeld } = settings.values.sandbox;
  const network = networkText(sandbox);
  const asked = isHeld
    ? 'Commands that stay in the workspace run without being asked for.'
    : 'What is asked for is asked for as without it (`sandbox.auto_allow` changes that).';
  const places = [...roots, ...writable].map((folder) => `\`${folder}\``).join(', ');
  const shown = readable.length === 0 ? '' : ` but ${readable.join(', ')}`;
  const secrets = `Files with secrets in the workspace are hidden${shown} (\`sandbox.readable\` shows some).`;
  const missed = sandbox.isWorkspaceKnown()
    ? ''
    : ' The workspace has more folders than were looked through for them.';
  return `\`sandbox\` is \`${mode}\`. Writable: ${places} and a private /tmp. ${secrets}${missed} ${network} ${asked} Memory, processor and disk space are not bounded. Your own \`!\` commands, hooks and tool servers run outside.`;
}

function networkText(sandbox: Sandbox): string {
  const hosts = sandbox.allowedHosts();
  if (hosts) {
    const named = hosts.length === 0 ? 'no hosts' : `only the hosts ${hosts.join(', ')}`;
    return `Commands reach ${named} (\`sandbox.network.allow\`), and those that are allowed with a command.`;
  }
  if (sandbox.hasNetwork(unasked)) return 'The network is on for all commands.';
  return sandbox.hasNetwork(granted)
    ? 'The network is on for commands that were allowed more than reading.'
    : 'The network is off for all commands.';
}
