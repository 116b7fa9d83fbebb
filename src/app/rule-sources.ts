import { homedir } from 'node:os';
import type { RuleSource } from '#permissions/gate.ts';
import { type ConfigRules, loadRuleSources } from '#permissions/rule-sources.ts';
import { listLines } from '#permissions/rules/list-lines.ts';
import { readEntries } from '#permissions/rules/written-rule.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { ownToolName } from '#protocol/tool-names.ts';
import type { SessionFlags } from './cli/flags.ts';
import type { Layer } from './settings/layer.ts';
import type { LoadedSettings } from './settings/load-settings.ts';
import { valueAt } from './settings/settings-object.ts';

/** Permission rules of every layer and of the command line, each with its origin; lists of two files both count. */
export function collectRules(
  { layers }: LoadedSettings,
  { flags, cwd, home }: { flags: SessionFlags; cwd: string; home: string },
): { sources: RuleSource[]; notices: string[] } {
  const configs: ConfigRules[] = [
    ...layers.map(configRules),
    { file: '--allowed-tools', origin: 'flag', permissions: { allow: flags.allowedTools ?? [] } },
    { file: '--disallowed-tools', origin: 'flag', permissions: { deny: flags.disallowedTools ?? [] } },
  ];
  return loadRuleSources({ cwd, home, userHome: homedir(), configs });
}

export function configRules({ origin, kind, value, file }: Layer): ConfigRules {
  const list = (action: string) => {
    const keys = ['permissions', action];
    return readEntries(valueAt(value, keys), file ? listLines(file.text, file.tree, keys) : []);
  };
  return {
    file: origin,
    origin: ruleOrigin(kind),
    permissions: { allow: list('allow'), ask: list('ask'), deny: list('deny') },
  };
}

function ruleOrigin(kind: Layer['kind']): ConfigRules['origin'] {
  switch (kind) {
    case 'user':
    case 'remembered':
      return 'user';
    case 'project':
    case 'local':
      return kind;
    case 'environment':
    case 'flag':
      return 'flag';
  }
}

/** True for a tool that `--disallowed-tools` names as a whole: the model is not even told of it. */
export function isDisallowed({ disallowedTools = [] }: SessionFlags, tool: ToolDef): boolean {
  return disallowedTools.some((rule) => ownToolName(rule) === tool.name);
}
