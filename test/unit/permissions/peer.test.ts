import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { peerGate } from '#agents/consult/peer-gate.ts';
import type { PermissionMode, Resource } from '#protocol/permission.ts';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import { permissionModes } from '#protocol/permission-mode.ts';
import { fileCall, makeGate, makePlace } from './support.ts';

const place = makePlace();
const gate = makeGate(place);

afterAll(() => rmSync(place.base, { recursive: true, force: true }));

function askPeer(mode: PermissionMode, peer = 'acme/large'): PermissionCall {
  const resources: Resource[] = [{ kind: 'peer', peer }];
  return { tool: 'consult_peer', effect: 'net', input: { peer, prompt: 'acme/small' }, resources, mode };
}

it('what goes to another provider is asked about in every mode that does not refuse it', () => {
  expect(permissionModes.map((mode) => gate.decide(askPeer(mode)).decision).join(' ')).toBe(
    'deny deny ask ask ask ask',
  );
  expect(gate.decide(askPeer('full_access'))).toEqual({
    decision: 'ask',
    reasons: [expect.objectContaining({ check: 'other-provider' })],
  });
});

it('a rule that names the peer allows it, and none by what stands in the question', () => {
  const withRule = (rule: string) =>
    makeGate(place, { rules: { allow: [rule] } }).decide(askPeer('prompt')).decision;
  expect(['consult_peer', 'consult_peer(acme/*)', 'consult_peer(acme/small)'].map(withRule)).toEqual([
    'allow',
    'allow',
    'ask',
  ]);
});

it('a peer reads in the workspace only, whatever the mode, and nothing of llmcode itself', () => {
  const { workspace, outside, home, userHome } = place;
  const own = peerGate(gate, { home, roots: [workspace] });
  own.allowReading(path.join(home, 'threads/consults/A.files'));
  // A workspace that holds the folder of llmcode opens nothing of it.
  const wide = peerGate(makeGate({ ...place, workspace: userHome }), { home, roots: [userHome] });
  const read = (file: string, by = own) =>
    by.decide(fileCall(file, { mode: 'full_access', access: 'read' })).decision;
  expect({
    workspace: read(path.join(workspace, 'src/a.ts')),
    secret: read(path.join(workspace, '.env')),
    outside: read(path.join(outside, 'x.txt')),
    ownFiles: read(path.join(home, 'threads/consults/A.files/out.txt')),
    conversations: read(path.join(home, 'threads/project/B.jsonl'), wide),
    config: read(path.join(home, 'config.json'), wide),
    change: own.decide(fileCall(path.join(workspace, 'src/a.ts'), { mode: 'full_access', access: 'write' }))
      .decision,
    another: own.decide(askPeer('full_access')).decision,
  }).toEqual({
    workspace: 'allow',
    secret: 'deny',
    outside: 'deny',
    ownFiles: 'allow',
    conversations: 'deny',
    config: 'deny',
    change: 'deny',
    another: 'deny',
  });
});
