/**
 * The first character that makes a command look different from what runs: controls other than line feed and tab,
 * bidirectional marks, characters without a width, blanks that the shell does not take as blanks.
 */
export function hiddenCharacter(text: string): string | undefined {
  const found =
    /\p{Default_Ignorable_Code_Point}|(?![\n\t])\p{Cc}|(?! )\p{Z}|\p{Cs}|\p{Co}|[\u2800\ufff9-\ufffb]/u.exec(
      text,
    )?.[0];
  if (found !== undefined) return `U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  // Long runs of blanks push what follows out of sight.
  return /[ \t]{60,}\S/.test(text) ? 'a long run of blanks' : undefined;
}
