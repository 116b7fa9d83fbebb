/** The first row to draw so that row `index` is in view and no room is wasted below the last row. */
export function topInView(view: { top: number; index: number; rows: number; count: number }): number {
  const rows = Math.max(1, view.rows);
  const lowest = Math.max(0, view.count - rows);
  const reaching = Math.max(view.top, view.index - rows + 1);
  return Math.max(0, Math.min(reaching, lowest, Math.max(0, view.index)));
}
