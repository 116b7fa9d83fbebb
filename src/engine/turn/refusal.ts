import type { ToolResult } from '#protocol/message.ts';
import type { DecisionReason } from '#protocol/permission.ts';

/** The end of a call that does not run. `halt`: a hook also ends the turn, for this reason. */
export type Refused = {
  kind: 'refused';
  status: 'denied' | 'aborted';
  text: string;
  summary?: string;
  halt?: string;
};

export const abortedText = 'The person interrupted before this call ran.';
export const repeatedCheck = 'repeated-call';
export const nobodyText =
  'It needs the permission of a person, and nobody can be asked in this run. Do not try to reach the same in ' +
  'another way: go on with what is allowed, or say at the end what you could not do.';

/** What decided, and nothing of what is only said beside it. */
export function notPermitted(
  reasons: readonly DecisionReason[],
  advice = 'Do not try to get around this.',
): Refused {
  const deciding = reasons.filter(({ isRemark }) => !isRemark);
  const texts = deciding.map(({ text, rule }) => (rule ? `${text} (rule ${rule})` : text));
  const why = [...new Set(texts)].join('; ');
  return { kind: 'refused', status: 'denied', text: `Not permitted: ${why}. ${advice}` };
}

/** The result of a call that names what no file tool opens: that is no matter of permission. */
export function noFileResult(reasons: readonly DecisionReason[]): ToolResult | undefined {
  const advices = reasons.map(({ check }) => noFileAdvice[check]);
  const [advice] = advices;
  if (advice === undefined || advices.includes(undefined)) return undefined;
  const why = [...new Set(reasons.map(({ text }) => text))].join('; ');
  const forModel = [{ kind: 'text' as const, text: `Not possible: ${why}. ${advice}` }];
  return { status: 'error', code: 'not_a_file', forModel, summary: 'not a file' };
}

const noFileAdvice: Readonly<Record<string, string>> = {
  'special-file':
    'File tools open regular files only: such a file may keep a reader waiting or never end. If you need what ' +
    'comes from it, take a bounded piece through bash, e.g. timeout 5 head -c 1000; otherwise choose another path.',
  'path-is-folder': 'Give the path of a file in it; list_directory shows what is there.',
  'path-loop': 'Look at the link with ls -l through bash, and give the path of a real file.',
  'path-invalid': 'Give the path of a file: without a / behind its name, and with a folder before every /.',
};

export function refusedByPerson(reasons: readonly DecisionReason[], words: string | undefined): Refused {
  const refused = { kind: 'refused', status: 'denied' } as const;
  if (words)
    return {
      ...refused,
      text: `The person refused this call and says: ${words}`,
      summary: `you said: ${words}`,
    };
  const isRepeat = reasons.some(({ check }) => check === repeatedCheck);
  const advice = isRepeat
    ? 'Do something else, or answer with what you know.'
    : 'Do not repeat it or work around it.';
  return { ...refused, text: `The person refused this call. ${advice}`, summary: 'you said no' };
}
