import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PermissionDecision, PermissionMode } from '#protocol/permission.ts';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import type { RuleSource } from '../../../src/permissions/gate.ts';
import { createPermissionGate } from '../../../src/permissions/gate.ts';
import { permissionSettings } from '../../../src/permissions/settings.ts';

const shared = path.resolve(import.meta.dirname, '../../../../shared/corpora');

export const hasCorpora = existsSync(shared);

export function corpus<Row>(name: string): Row[] {
  const lines = readFileSync(path.join(shared, name), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}

export type Place = { base: string; workspace: string; outside: string; userHome: string; home: string };

/** A workspace, a folder beside it and a home folder, with the files that the corpora take for granted. */
export function makePlace(): Place {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'llmcode-permissions-')));
  const userHome = path.join(base, 'user');
  const workspace = path.join(userHome, 'code', 'project');
  const place = {
    base,
    workspace,
    outside: path.join(userHome, 'code', 'other'),
    userHome,
    home: path.join(userHome, '.llmcode'),
  };
  const inWorkspace = [
    'README.md',
    'package.json',
    'AGENTS.md',
    '.env',
    '.env.example',
    '.mcp.json',
    '.envrc',
    '.gitattributes',
    '.npmrc',
    'src/a.ts',
    '.git/config',
    '.git/HEAD',
    '.git/hooks/pre-commit',
    '.llmcode/config.json',
    '.claude/settings.json',
    '.vscode/tasks.json',
    '.vscode/settings.json',
    '.github/workflows/ci.yml',
  ];
  const inHome = [
    'notes.txt',
    '.bashrc',
    '.ssh/id_rsa',
    '.ssh/authorized_keys',
    '.aws/credentials',
    '.llmcode/config.json',
  ];
  for (const file of inWorkspace) put(path.join(workspace, file), file.endsWith('.json') ? '{}\n' : 'text\n');
  for (const file of inHome) put(path.join(userHome, file));
  put(path.join(place.outside, 'x.txt'));
  put(path.join(path.dirname(workspace), 'x.txt'));
  return place;
}

export function put(file: string, text = 'text\n'): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

type GateChoice = {
  rules?: Partial<Pick<RuleSource, 'allow' | 'ask' | 'deny' | 'origin' | 'file'>>;
  roots?: readonly string[];
  cwd?: string;
};

export function makeGate(
  place: Place,
  { rules = {}, roots = [place.workspace], cwd = place.workspace }: GateChoice = {},
) {
  const source: RuleSource = {
    file: path.join(place.home, 'config.json'),
    origin: 'user',
    allow: [],
    ask: [],
    deny: [],
    ...rules,
  };
  return createPermissionGate({
    settings: permissionSettings.parse({}),
    sources: [source],
    cwd,
    roots,
    home: place.home,
    userHome: place.userHome,
  });
}

export type Gate = ReturnType<typeof makeGate>;

export function bashCall(
  command: string,
  { mode, cwd }: { mode: PermissionMode; cwd: string },
): PermissionCall {
  return {
    tool: 'bash',
    effect: 'exec',
    input: { command },
    resources: [{ kind: 'command', command, cwd }],
    mode,
  };
}

export function fileCall(
  file: string,
  { mode, access }: { mode: PermissionMode; access: 'read' | 'write' },
): PermissionCall {
  return {
    tool: access === 'read' ? 'read_file' : 'edit_file',
    effect: access,
    input: { path: file },
    resources: [{ kind: 'path', path: file, access }],
    mode,
  };
}

/** Decides a command in the workspace. */
export function judge(
  gate: Gate,
  place: Place,
  command: string,
  mode: PermissionMode = 'prompt',
): PermissionDecision {
  return gate.decide(bashCall(command, { mode, cwd: place.workspace }));
}
