import path from 'node:path';
import type { PermissionMode, Resource, ToolEffect } from '#protocol/permission.ts';
import type { PermissionCall } from '#protocol/permission-gate.ts';
import { type Rule, readTools, writeTools } from './rule.ts';
import type { RuleExample } from './written-rule.ts';

/** The call that an example of a rule stands for. */
export function exampleCall(
  { tool, spec }: Rule,
  example: RuleExample,
  { cwd, mode }: { cwd: string; mode: PermissionMode },
): PermissionCall {
  const input = typeof example === 'string' ? { [fieldName(tool, spec)]: example } : example;
  const text = (name: string) => {
    const value = input[name];
    return typeof value === 'string' ? value : '';
  };
  const call = (effect: ToolEffect, ...resources: Resource[]): PermissionCall => {
    return { tool, effect, input, resources, mode };
  };
  if (tool === 'bash') return call('exec', { kind: 'command', command: text('command'), cwd });
  const file = () => path.resolve(cwd, text('path') || text('file_path'));
  if (readTools.includes(tool)) return call('read', { kind: 'path', path: file(), access: 'read' });
  if (writeTools.includes(tool)) return call('write', { kind: 'path', path: file(), access: 'write' });
  if (tool === 'web_fetch') return call('net', { kind: 'host', host: hostOf(text('url')) });
  if (tool === 'consult_peer') return call('net', { kind: 'peer', peer: text('peer') });
  return call('exec');
}

function fieldName(tool: string, spec: Rule['spec']): string {
  if (tool === 'bash') return 'command';
  if (readTools.includes(tool) || writeTools.includes(tool)) return 'path';
  if (tool === 'web_fetch') return 'url';
  if (tool === 'consult_peer') return 'peer';
  return (spec.kind === 'field' ? spec.name : undefined) ?? 'value';
}

function hostOf(address: string): string {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`);
  return url?.hostname ?? address;
}
