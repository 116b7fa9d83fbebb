/** What the terminal reports besides keys. Columns and rows count from 1. */
export type TapEvent =
  | { kind: 'wheel'; direction: 'up' | 'down'; column: number; row: number }
  | { kind: 'mouse'; button: 'left' | 'middle' | 'right'; pressed: boolean; column: number; row: number }
  /** The mouse went to another cell while the left button is down. */
  | { kind: 'drag'; column: number; row: number }
  | { kind: 'focus'; focused: boolean }
  /** An operating system command without its frame, e.g. `11;rgb:1e1e/1e1e/2e2e`. */
  | { kind: 'reply'; body: string };

interface TapParser {
  /** Takes bytes; gives the bytes that are not for us, one character each, and the reports among them. */
  push(bytes: Buffer): TapOutput;
  /** How many bytes are held back because they may begin a report. */
  pendingLength(): number;
  /** Gives up waiting: what is held back was typed. */
  flush(): TapOutput;
}

export type TapOutput = { text: string; events: TapEvent[] };

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';
const longestReply = 256;

const mouseReport = /^\x1b\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])/;
const focusReport = /^\x1b\[([IO])/;
const replyReport = /^\x1b\](\d{1,4};[^\x07\x1b]*)(?:\x07|\x1b\\)/;
/** Answers that nobody asked for: the terminal's name and capabilities (DCS), and of its pictures (APC). */
const unaskedReport = /^\x1b(?:P(?:>\||!\||[01]?[+$]r)|_G)[^\x07\x1b]*(?:\x07|\x1b\\)/;
/** The start of a report or of a paste mark, cut anywhere. */
const unfinished = /^\x1b(?:|\[|\[<[\d;]*|\[2|\[20|\[200|\]|\]\d{1,4}|\]\d{1,4};[^\x07\x1b]*\x1b?)$/;
const unfinishedUnasked = /^\x1b(?:P[>!]?|P[01]?[+$]?|(?:P(?:>\||!\||[01]?[+$]r)|_G)[^\x07\x1b]*\x1b?|_)$/;
/** What no key sends, though its end never comes. Of a colour only what belongs to one: keys may follow. */
const lostReport =
  /^\x1b(?:\]\d{1,4};(?:rgba?:[\da-fA-F/]*)?|(?:P(?:>\||!\||[01]?[+$]r)|_G)[^\x07\x1b]*)(?:\x1b$)?/;

export function createTapParser(): TapParser {
  let pending = '';
  let isPasting = false;
  /** The newest of the pasted bytes: the mark at the end may come in pieces. */
  let recent = '';

  const take = (input: string, isLast: boolean): TapOutput => {
    let rest = input;
    let text = '';
    const events: TapEvent[] = [];
    while (rest !== '') {
      if (isPasting) {
        const seen = recent + rest;
        const end = seen.indexOf(pasteEnd);
        if (end < 0) {
          recent = seen.slice(1 - pasteEnd.length);
          return { text: text + rest, events };
        }
        const taken = end + pasteEnd.length - recent.length;
        text += rest.slice(0, taken);
        rest = rest.slice(taken);
        isPasting = false;
        recent = '';
        continue;
      }
      const at = rest.indexOf('\x1b');
      if (at < 0) return { text: text + rest, events };
      text += rest.slice(0, at);
      rest = rest.slice(at);
      if (rest.startsWith(pasteStart)) {
        text += pasteStart;
        rest = rest.slice(pasteStart.length);
        isPasting = true;
        continue;
      }
      const report = readReport(rest);
      if (report) {
        rest = rest.slice(report.length);
        if (report.event) events.push(report.event);
      } else if (!isLast && rest.length < longestReply && isUnfinished(rest)) {
        pending = rest;
        return { text, events };
      } else {
        const lost = lostReport.exec(rest);
        if (!lost) text += '\x1b';
        rest = rest.slice(lost ? lost[0].length : 1);
      }
    }
    return { text, events };
  };

  const run = (bytes: string, isLast: boolean): TapOutput => {
    const input = pending + bytes;
    pending = '';
    return take(input, isLast);
  };

  return {
    push: (bytes) => run(bytes.toString('latin1'), false),
    pendingLength: () => pending.length,
    flush: () => run('', true),
  };
}

function isUnfinished(text: string): boolean {
  return unfinished.test(text) || unfinishedUnasked.test(text);
}

function readReport(text: string): { length: number; event: TapEvent | undefined } | undefined {
  const mouse = mouseReport.exec(text);
  if (mouse) return { length: mouse[0].length, event: mouseEvent(mouse) };
  const focus = focusReport.exec(text);
  if (focus) return { length: focus[0].length, event: { kind: 'focus', focused: focus[1] === 'I' } };
  const reply = replyReport.exec(text);
  if (reply) return { length: reply[0].length, event: { kind: 'reply', body: reply[1] ?? '' } };
  const unasked = unaskedReport.exec(text);
  return unasked ? { length: unasked[0].length, event: undefined } : undefined;
}

/** Bits 2 to 4 of the code are Shift, Alt and Ctrl, bit 5 is motion, bit 6 the wheel. */
function mouseEvent(match: RegExpExecArray): TapEvent | undefined {
  const code = Number(match[1]);
  const place = { column: Number(match[2]), row: Number(match[3]) };
  const button = code & 3;
  if (code & 64) {
    if (button > 1) return undefined; // sideways
    return { kind: 'wheel', direction: button === 0 ? 'up' : 'down', ...place };
  }
  if (code & 32) return button === 0 ? { kind: 'drag', ...place } : undefined;
  if (button === 3) return undefined;
  const names = ['left', 'middle', 'right'] as const;
  return { kind: 'mouse', button: names[button] ?? 'left', pressed: match[4] === 'M', ...place };
}
