// Ink knows F1 to F12 and hands none of them over. As a private character with Kitty's number they come through.

/** Kitty's number of F1; the others follow. Nothing else that a person types is one of them. */
const firstCode = 57_364;
const mostKeys = 12;

/** Number of the last byte or of the parameter: xterm, VT220, rxvt, PuTTY and the Linux console. */
const numbered = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24];
const lettered = 'PQRS';
const consoleLetters = 'ABCDE';

/** `CSI R` with numbers is an answer about the cursor, so F3 is taken from it only without them. */
const functionKey =
  /\x1b(?:O([P-S])|\[\[([A-E])|\[(?:1;(\d{1,3})(:\d)?)?([PQS])|\[(1[1-57-9]|2[0134])(?:;(\d{1,3})(:\d)?)?~)/g;

/** The start of such a key at the end of what was read. A lone escape is not one. */
export const unfinishedFunctionKey =
  /\x1b(?:O|\[(?:\[|1(?:;\d{0,3}(?::\d?)?)?|[12]\d(?:;\d{0,3}(?::\d?)?)?)?)$/;

export function rewriteFunctionKeys(text: string): string {
  return text.replaceAll(
    functionKey,
    (
      _all,
      letter: string | undefined,
      inConsole: string | undefined,
      letterModifiers: string | undefined,
      letterEvent: string | undefined,
      csiLetter: string | undefined,
      number: string | undefined,
      modifiers: string | undefined,
      event: string | undefined,
    ) => {
      const index =
        inConsole !== undefined
          ? consoleLetters.indexOf(inConsole)
          : number !== undefined
            ? numbered.indexOf(Number(number))
            : lettered.indexOf(letter ?? csiLetter ?? '');
      const code = firstCode + index;
      return `\x1b[${code};${letterModifiers ?? modifiers ?? 1}${letterEvent ?? event ?? ':1'};${code}u`;
    },
  );
}

/** `f1` to `f12` for what the rewritten key hands over. */
export function functionKeyName(input: string): string | undefined {
  const index = (input.codePointAt(0) ?? 0) - firstCode;
  return input.length === 1 && index >= 0 && index < mostKeys ? `f${index + 1}` : undefined;
}
