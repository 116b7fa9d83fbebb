import { parsePermissionMode } from '#protocol/permission-mode.ts';
import type { RuleSetChange } from '../permissions/rule-desk.ts';
import { defineCommand, inform, warn } from './define-command.ts';

const scopes = ['session', 'project', 'shared', 'user'] as const;
const usage =
  'Usage: `/permissions`, `/permissions list`, `/permissions allow|ask|deny <rule> [session|project|shared|user]`, ' +
  '`/permissions remove [allow|ask|deny] <rule>`, `/permissions explain [number]`, ' +
  '`/permissions replay [allow|ask|deny <rule> | without <rule> | mode <mode>]`.';

export const permissionsCommand = defineCommand({
  name: 'permissions',
  aliases: ['allowed-tools'],
  summary: 'rules in force and why calls were asked or allowed; add, remove and try out rules',
  args: '[list|allow|ask|deny|remove|explain|replay …]',
  choices: ['list', 'allow', 'ask', 'deny', 'remove', 'explain', 'replay'],
  async run(argument, { permissions }) {
    if (argument === '') return { kind: 'dialog', dialog: 'permissions' };
    const [verb = '', rest] = split(argument);
    switch (verb) {
      case 'list':
        return rest === '' ? inform(await permissions.text()) : warn(usage);
      case 'allow':
      case 'ask':
      case 'deny': {
        const { rule, scope = 'project' } = withScope(rest);
        if (rule === '') return warn(usage);
        return inform(await permissions.add({ action: verb, rule, scope }));
      }
      case 'remove':
      case 'rm':
        return rest === '' ? warn(usage) : inform(await permissions.remove(...ruleToRemove(rest)));
      case 'explain':
      case 'why': {
        const count = rest === '' ? 5 : Number(rest);
        return Number.isInteger(count) && count > 0 ? inform(await permissions.explain(count)) : warn(usage);
      }
      case 'replay': {
        const change = changeOf(rest);
        return change ? inform(await permissions.replay(change)) : warn(usage);
      }
      default:
        return warn(usage);
    }
  },
});

function split(text: string): [string, string] {
  const found = /^(\S+)\s*([\s\S]*)$/.exec(text.trim());
  return [found?.[1] ?? '', (found?.[2] ?? '').trim()];
}

function ruleToRemove(text: string): [string, 'allow' | 'ask' | 'deny' | undefined] {
  const found = /^(allow|ask|deny)\s+(\S[\s\S]*)$/.exec(text);
  const action = (['allow', 'ask', 'deny'] as const).find((name) => name === found?.[1]);
  return [found?.[2] ?? text, action];
}

/** A scope behind the rule, with or without `--` before it. */
function withScope(text: string): { rule: string; scope?: (typeof scopes)[number] } {
  const found = /^([\s\S]*\S)\s+(?:--)?(\w+)$/.exec(text);
  const scope = scopes.find((name) => name === found?.[2]);
  return scope === undefined || found?.[1] === undefined ? { rule: text } : { rule: found[1], scope };
}

function changeOf(text: string): RuleSetChange | undefined {
  if (text === '') return { add: [], without: [] };
  const [verb, rule] = split(text);
  if (rule === '') return undefined;
  switch (verb) {
    case 'allow':
    case 'ask':
    case 'deny':
      return { add: [{ action: verb, rule }], without: [] };
    case 'without':
      return { add: [], without: [rule] };
    case 'mode': {
      const mode = parsePermissionMode(rule);
      return mode && { add: [], without: [], mode };
    }
    default:
      return undefined;
  }
}
