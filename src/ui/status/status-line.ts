import { padToWidth, truncateEnd } from '#lib/text-width.ts';
import type { PermissionMode } from '#protocol/permission.ts';
import { type Span, span, spansWidth } from '../theme/span.ts';
import { meterToken, modeToken } from '../theme/tokens.ts';

/** What the status line says. All text is clean; an empty text is left out. */
export type StatusInput = {
  readonly mode: PermissionMode;
  /** Where the prompt is in Vim's modes; empty when it is not edited so. */
  readonly vim?: string;
  /** Null: none chosen yet. Empty: not known yet. */
  readonly model: string | null;
  readonly provider: string;
  /** It answers in the place of one that failed. */
  readonly isStandIn: boolean;
  /** What is to be said of the model: for whom it stands in, or which one comes next. */
  readonly aside: string;
  /** 0 to 1; null when it is not known. */
  readonly contextShare: number | null;
  readonly tokens: string;
  readonly cost: string;
  readonly folder: string;
  readonly branch: string;
  /** A sandbox holds the commands of the model. */
  readonly isSandboxed?: boolean;
  /** How many commands run in the background. */
  readonly backgroundCount?: number;
  /** What the keys do now, the most important first. */
  readonly hints: readonly KeyHint[];
};

export type KeyHint = { readonly key: string; readonly does: string };

/** How much of each part is shown. The later steps of `shrinkSteps` leave less. */
type Detail = {
  background: 'words' | 'bare';
  sandbox: boolean;
  branch: boolean;
  folder: boolean;
  cost: boolean;
  tokens: boolean;
  provider: boolean;
  asideCells: number;
  meter: 'bar' | 'label' | 'bare';
  modeKey: boolean;
  vim: 'word' | 'letter';
  hints: number;
  modelCells: number;
};

/** What is given up first on a narrow screen: which model, how full and what it costs stay where 80 cells are. */
const shrinkSteps: readonly Partial<Detail>[] = [
  {},
  { hints: 2 },
  { branch: false },
  { hints: 1 },
  { folder: false },
  { tokens: false },
  { modeKey: false },
  { vim: 'letter' },
  { background: 'bare' },
  { meter: 'label' },
  { modelCells: 28 },
  { asideCells: 24 },
  { provider: false },
  { asideCells: 14 },
  { sandbox: false },
  { modelCells: 20 },
  { asideCells: 0 },
  { meter: 'bare' },
  { modelCells: 16 },
  { cost: false },
  { modelCells: 10 },
  { modelCells: 6 },
  { hints: 0 },
];

const fullDetail: Detail = {
  background: 'words',
  sandbox: true,
  branch: true,
  folder: true,
  cost: true,
  tokens: true,
  provider: true,
  asideCells: 60,
  meter: 'bar',
  modeKey: true,
  vim: 'word',
  hints: 3,
  modelCells: 60,
};

const gap = 3;

/** One row of exactly `width` cells: who and how full on the left, what the keys do on the right. */
export function statusRow(
  input: StatusInput,
  { width, margin }: { width: number; margin: number },
): readonly Span[] {
  const room = width - margin * 2;
  const side = span(' '.repeat(margin));
  let detail = fullDetail;
  for (const shrink of shrinkSteps) {
    detail = { ...detail, ...shrink };
    const left = leftSpans(input, detail);
    const right = hintSpans(input.hints.slice(0, detail.hints));
    const used = spansWidth(left) + spansWidth(right) + (right.length > 0 ? gap : 0);
    if (used > room) continue;
    const fill = span(' '.repeat(room - spansWidth(left) - spansWidth(right)));
    return [side, ...left, fill, ...right, side];
  }
  return [side, span(padToWidth(truncateEnd(input.mode, room), room), modeToken(input.mode)), side];
}

function leftSpans(input: StatusInput, detail: Detail): Span[] {
  const parts: Span[][] = [
    vimSpans(input, detail),
    [
      span(input.mode, modeToken(input.mode), 'bold'),
      ...(detail.modeKey ? [span(' ⇧⇥', 'dim')] : []),
      ...(detail.sandbox && input.isSandboxed ? [span(' sandbox', 'dim')] : []),
    ],
    modelSpans(input, detail),
    contextSpans(input, detail),
    backgroundSpans(input, detail),
    [span(usageText(input, detail), 'dim')],
    folderSpans(input, detail),
  ];
  const shown = parts.filter((part) => spansWidth(part) > 0);
  return shown.flatMap((part, index) => (index === 0 ? part : [span(' '.repeat(gap)), ...part]));
}

function vimSpans({ vim = '' }: StatusInput, detail: Detail): Span[] {
  return [
    span(detail.vim === 'word' ? vim : vim.charAt(0), vim.startsWith('INSERT') ? 'dim' : 'accent', 'bold'),
  ];
}

function modelSpans({ model, provider, isStandIn, aside }: StatusInput, detail: Detail): Span[] {
  if (model === null) return [span('no model', 'warning')];
  const name = truncateEnd(model, detail.modelCells);
  return [
    isStandIn ? span(`↪ ${name}`, 'warning') : span(name),
    ...(detail.provider && provider !== '' ? [span(` · ${provider}`, 'dim')] : []),
    ...(detail.asideCells > 0 && aside !== ''
      ? [span(` ${truncateEnd(aside, detail.asideCells)}`, 'dim')]
      : []),
  ];
}

function backgroundSpans({ backgroundCount = 0 }: StatusInput, { background }: Detail): Span[] {
  if (backgroundCount === 0) return [];
  return [
    span(`⚙ ${backgroundCount}`, 'accent'),
    ...(background === 'words' ? [span(' in background', 'dim')] : []),
  ];
}

const meterCells = 8;

function contextSpans({ contextShare }: StatusInput, { meter }: Detail): Span[] {
  if (contextShare === null) return [];
  const token = meterToken(contextShare);
  const percent = span(`${Math.round(contextShare * 100)}%`, contextShare >= 0.7 ? token : undefined);
  if (meter === 'bare') return [percent];
  if (meter === 'label') return [span('ctx ', 'dim'), percent];
  const filled = Math.min(meterCells, Math.ceil(contextShare * meterCells));
  return [
    span('ctx ', 'dim'),
    span('▓'.repeat(filled), token),
    span('░'.repeat(meterCells - filled), 'meterEmpty'),
    span(' '),
    percent,
  ];
}

function usageText({ tokens, cost }: StatusInput, detail: Detail): string {
  const shown = [detail.tokens ? tokens : '', detail.cost ? cost : ''];
  return shown.filter((text) => text !== '').join(' · ');
}

function folderSpans({ folder, branch }: StatusInput, detail: Detail): Span[] {
  const spans = detail.folder && folder !== '' ? [span(folder, 'dim')] : [];
  if (!detail.branch || branch === '') return spans;
  return spans.length > 0 ? [...spans, span(` ${branch}`, 'dim')] : [span(branch, 'dim')];
}

function hintSpans(hints: readonly KeyHint[]): Span[] {
  return hints.flatMap(({ key, does }, index) => [
    ...(index === 0 ? [] : [span(' · ', 'dim')]),
    span(key, 'accent'),
    span(` ${does}`, 'dim'),
  ]);
}
