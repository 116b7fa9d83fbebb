import type { IBufferCell, Terminal } from '@xterm/headless';

export type SvgColors = { background: string; foreground: string; palette: readonly string[] };

export const darkColors: SvgColors = {
  background: '#14161b',
  foreground: '#d7dae0',
  palette: [
    ...['#14161b', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#abb2bf'],
    ...['#5c6370', '#e88a92', '#b1d196', '#ecd09b', '#83c1f3', '#d499e5', '#7cc7d0', '#ffffff'],
  ],
};

const cellWidth = 8.4;
const rowHeight = 18;
const margin = 14;

type Run = { column: number; width: number; text: string; style: string; background: string | undefined };

/** The visible screen of a headless terminal as an SVG picture. */
export function screenSvg(terminal: Terminal, colors: SvgColors): string {
  const width = Math.ceil(terminal.cols * cellWidth + 2 * margin);
  const height = terminal.rows * rowHeight + 2 * margin;
  const rows = Array.from({ length: terminal.rows }, (_, row) => rowRuns(terminal, row, colors));
  const body = rows.flatMap((runs, row) => runs.map((run) => runSvg(run, row))).join('\n');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${colors.background}"/>`,
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" xml:space="preserve">`,
    body,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function rowRuns(terminal: Terminal, row: number, colors: SvgColors): Run[] {
  const buffer = terminal.buffer.active;
  const line = buffer.getLine(buffer.baseY + row);
  const runs: Run[] = [];
  for (let column = 0; column < terminal.cols; column += 1) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const text = cell.getChars() || ' ';
    const { style, background } = styleOf(cell, colors);
    const last = runs.at(-1);
    // A wide character stands alone, so that a font of other proportions does not shift what follows.
    const joins = last && last.style === style && last.background === background && cell.getWidth() === 1;
    if (joins && last.width === last.text.length) {
      last.text += text;
      last.width += 1;
    } else runs.push({ column, width: cell.getWidth(), text, style, background });
  }
  return runs.filter((run) => run.text.trim() !== '' || run.background !== undefined);
}

function styleOf(cell: IBufferCell, colors: SvgColors): { style: string; background: string | undefined } {
  const own = colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor(), colors) ?? colors.foreground;
  const behind = colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor(), colors);
  const isInverse = cell.isInverse() !== 0;
  const color = isInverse ? (behind ?? colors.background) : own;
  const style = [
    `fill="${color}"`,
    cell.isBold() ? 'font-weight="bold"' : '',
    cell.isItalic() ? 'font-style="italic"' : '',
    cell.isUnderline() ? 'text-decoration="underline"' : '',
    cell.isStrikethrough() ? 'text-decoration="line-through"' : '',
    cell.isDim() ? 'opacity="0.6"' : '',
  ];
  return { style: style.filter(Boolean).join(' '), background: isInverse ? own : behind };
}

function colorOf(isRgb: boolean, isPalette: boolean, value: number, colors: SvgColors): string | undefined {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  if (!isPalette) return undefined;
  const basic = colors.palette[value];
  if (basic !== undefined) return basic;
  if (value >= 232) {
    const level = (8 + (value - 232) * 10).toString(16).padStart(2, '0');
    return `#${level}${level}${level}`;
  }
  const steps = [0, 95, 135, 175, 215, 255];
  const index = value - 16;
  const channels = [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6];
  return `#${channels.map((channel) => (steps[channel] ?? 0).toString(16).padStart(2, '0')).join('')}`;
}

function runSvg(run: Run, row: number): string {
  const x = margin + run.column * cellWidth;
  const y = margin + row * rowHeight;
  const length = (run.width * cellWidth).toFixed(1);
  const box = run.background
    ? `<rect x="${x.toFixed(1)}" y="${y}" width="${length}" height="${rowHeight}" fill="${run.background}"/>`
    : '';
  const text = `<text x="${x.toFixed(1)}" y="${y + 13}" textLength="${length}" lengthAdjust="spacingAndGlyphs" ${run.style}>${escapeXml(run.text)}</text>`;
  return run.text.trim() === '' ? box : box + text;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
