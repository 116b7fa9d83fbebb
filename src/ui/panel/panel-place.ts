/** From here on a panel stands beside the conversation. */
const wideColumns = 120;
const leastTranscript = 5;

/** Columns of a panel beside the conversation; 0 = there is no room for it there. */
export function panelColumns(columns: number): number {
  return columns >= wideColumns ? Math.min(48, Math.floor(columns * 0.32)) : 0;
}

/** Rows of a panel that takes the lower part of the conversation; 0 = there is no room for it at all. */
export function panelHeight({ wanted, transcript }: { wanted: number; transcript: number }): number {
  const height = Math.min(wanted, Math.floor(transcript * 0.6), transcript - leastTranscript);
  return height < 3 ? 0 : height;
}
