import { formatUsd, formatWindow, shortCount } from '#lib/amounts.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { padToWidth } from '#lib/text-width.ts';
import { wrapText } from '#lib/wrap.ts';
import type { ModelPreflight } from '#protocol/model-preflight.ts';
import type { ModelInfo } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { toolCallingOf } from '#protocol/tool-calling.ts';
import { span } from '../../theme/span.ts';
import type { ThemeToken } from '../../theme/tokens.ts';
import { row, type Sheet, type SheetRow, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { canCompact } from './preflight-keys.ts';

type Line = { readonly label: string; readonly text: string; readonly token: ThemeToken };

/** One glance at what switching means, before it is done. */
export function preflightSheet(
  card: ModelPreflight,
  { width, isCardOnly }: ViewScene & { isCardOnly: boolean },
): Sheet {
  const lines = [
    historyLine(card),
    ...abilityLines(card),
    costLine(card),
    ...placeLines(card),
    ...warningLines(card.info),
    keptLine(card),
  ];
  return {
    frame: 'box',
    title: `switch to ${cleanName(formatModelRef(card.info.ref))}`,
    note: '',
    head: [],
    body: staticBody(lines.flatMap((line) => lineRows(line, width))),
    foot: [],
    keys: [
      { key: 'Enter', does: 'switch' },
      ...(canCompact(card) ? [{ key: 'c', does: `compact first (→ ${about(card.compacted)})` }] : []),
      { key: 'Esc', does: isCardOnly ? 'stay' : 'back' },
    ],
  };
}

function historyLine({ tokens, usable, fit, info, compacted }: ModelPreflight): Line {
  const window = formatWindow(info.contextWindow.value);
  const label = 'history';
  switch (fit) {
    case 'fits':
      return { label, text: `about ${about(tokens)} tokens fit in ${window}`, token: 'text' };
    case 'tight':
      return {
        label,
        text: `about ${about(tokens)} tokens nearly fill ${window}: older history is summarised before the next call (→ ${about(compacted)})`,
        token: 'warning',
      };
    case 'too-long':
      return {
        label,
        text: `about ${about(tokens)} tokens do not fit: ${window} leave ${about(usable)}. Older history has to be summarised (→ ${about(compacted)})`,
        token: 'error',
      };
  }
}

function abilityLines({ info, images }: ModelPreflight): Line[] {
  const lines: Line[] = [];
  const calling = toolCallingOf(info);
  const counted = `${images} ${images === 1 ? 'image' : 'images'}`;
  const good = [
    ...(calling === 'none' ? [] : [calling === 'native' ? 'tools ✓' : 'tools ✓ (as text)']),
    ...(info.images.value ? [images > 0 ? `${counted} ✓` : 'images ✓'] : []),
    ...(info.reasoning.value ? ['thinks ✓'] : []),
  ];
  if (good.length > 0) lines.push({ label: 'can', text: good.join('   '), token: 'text' });
  if (calling === 'none')
    lines.push({ label: 'tools', text: 'it cannot call any: it only talks', token: 'warning' });
  if (images > 0 && !info.images.value)
    lines.push({
      label: 'images',
      text: `it cannot see the ${counted} of this conversation`,
      token: 'warning',
    });
  return lines;
}

function costLine({ firstCallUsd, laterCallUsd, info }: ModelPreflight): Line {
  const label = 'first call';
  if (firstCallUsd === null || laterCallUsd === null)
    return { label, text: 'its price is not known, so what it costs cannot be said', token: 'warning' };
  if (firstCallUsd === 0)
    return { label, text: info.local ? 'free: it runs on your own hardware' : 'free', token: 'success' };
  return {
    label,
    text: `about ${roundUsd(firstCallUsd)}, nothing cached; then about ${roundUsd(laterCallUsd)} a step`,
    token: 'text',
  };
}

function placeLines({ leavesMachine, info }: ModelPreflight): Line[] {
  if (!leavesMachine) return [];
  const text = `${cleanName(info.ref.provider)} gets the whole conversation; so far it stayed on your own hardware`;
  return [{ label: 'goes to', text, token: 'warning' }];
}

function warningLines({ warning }: ModelInfo): Line[] {
  return warning ? [{ label: 'note', text: cleanName(warning), token: 'warning' }] : [];
}

function keptLine({ fit, leavesReasoning }: ModelPreflight): Line {
  const history =
    fit === 'fits'
      ? 'everything'
      : 'the newest messages and a summary of the others; the log keeps everything';
  const reasoning = leavesReasoning ? '; private reasoning of other models waits here for them' : '';
  return { label: 'keeps', text: history + reasoning, token: 'dim' };
}

const labelCells = 12;

function lineRows({ label, text, token }: Line, width: number): SheetRow[] {
  return wrapText(text, Math.max(10, width - labelCells)).map((line, index) =>
    row(span(padToWidth(index === 0 ? label : '', labelCells), 'dim'), span(line, token)),
  );
}

function about(tokens: number): string {
  return shortCount(tokens);
}

/** An estimate with two digits. */
function roundUsd(amount: number): string {
  return formatUsd(Number(amount.toPrecision(2)));
}
