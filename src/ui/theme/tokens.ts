import type { PermissionMode } from '#protocol/permission.ts';

/** Every colour of the screen by what it means. A theme gives each a style; components know only these names. */
export const themeTokens = [
  'text',
  'dim',
  'accent',
  'user',
  'assistant',
  'reasoning',
  'success',
  'warning',
  'error',
  'border',
  'borderFocus',
  'selection',
  'heading',
  'strong',
  'code',
  'link',
  'quote',
  'tool',
  'toolTitle',
  'lineNumber',
  'diffAdded',
  'diffRemoved',
  'diffAddedWord',
  'diffRemovedWord',
  'diffContext',
  'codeText',
  'codeKeyword',
  'codeString',
  'codeNumber',
  'codeComment',
  'codeFunction',
  'codeType',
  'codeConstant',
  'codeTag',
  'codeAttribute',
  'codePunctuation',
  'modePlan',
  'modeReadOnly',
  'modePrompt',
  'modeWorkspaceWrite',
  'modeAutoAccept',
  'modeFullAccess',
  'meterLow',
  'meterMiddle',
  'meterHigh',
  'meterEmpty',
] as const;

export type ThemeToken = (typeof themeTokens)[number];

const modeTokens: Readonly<Record<PermissionMode, ThemeToken>> = {
  plan: 'modePlan',
  read_only: 'modeReadOnly',
  prompt: 'modePrompt',
  workspace_write: 'modeWorkspaceWrite',
  auto_accept: 'modeAutoAccept',
  full_access: 'modeFullAccess',
};

export function modeToken(mode: PermissionMode): ThemeToken {
  return modeTokens[mode];
}

/** The colour of a fill meter: calm, then a warning from 70 %, then an alarm from 90 %. `share` is 0 to 1. */
export function meterToken(share: number): ThemeToken {
  if (share >= 0.9) return 'meterHigh';
  return share >= 0.7 ? 'meterMiddle' : 'meterLow';
}
