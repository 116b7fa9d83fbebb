import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { codeText } from '#lib/quote.ts';
import { cleanName, cleanText } from '#lib/terminal-text.ts';
import type { UiStore } from '../store/ui-store.ts';
import type { TranscriptActions } from '../transcript/actions.ts';
import type { TerminalDoor } from './controller.ts';
import { copyNotice } from './copy-notice.ts';
import type { ScreenStore } from './screen-state.ts';

/** So long the status line says that something was copied. */
const saidMs = 2_500;

export type TextOut = ReturnType<typeof createTextOut>;

/** Brings text out of the screen. Nothing here rejects: what went wrong is said in the transcript. */
export function createTextOut({
  terminal,
  store,
  transcript,
  screen,
  clock,
}: {
  terminal: Pick<TerminalDoor, 'copy' | 'page'>;
  store: UiStore;
  transcript: TranscriptActions;
  screen: ScreenStore;
  clock: Clock;
}) {
  let cancelSaid = (): void => undefined;
  const sayShortly = (copied: string) => {
    cancelSaid();
    screen.update({ copied });
    cancelSaid = clock.after(saidMs, () => screen.update({ copied: null }));
  };
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      store.addNotice({ level: 'error', text: errorText(error) });
    }
  };
  return {
    /** Into the clipboard; tells where it went. */
    copy: ({ text, what }: { text: string; what: string }) =>
      guarded(async () => {
        store.addNotice(copyNotice(cleanName(what), await terminal.copy(cleanText(text))));
        transcript.toNewest();
      }),
    /** Into the clipboard, without a word when it went well. */
    copyQuietly: (text: string) => guarded(async () => void (await terminal.copy(text))),
    /** What the mouse selected: rows that move for each selection would be in the way, so the status line says it. */
    copySelection: (text: string) =>
      guarded(async () => {
        const report = await terminal.copy(cleanText(text));
        const lines = text.split('\n').length;
        const what = `${lines} ${lines === 1 ? 'line' : 'lines'}`;
        if (report.kind === 'file') store.addNotice(copyNotice(what, report));
        else sayShortly(`copied ${what}`);
      }),
    /** Into the person's pager. */
    page: (text: string) =>
      guarded(async () => {
        const file = await terminal.page(cleanText(text));
        if (file === undefined) return;
        const where = `No pager could be started; it is all in ${codeText(file)}.`;
        store.addNotice({ level: 'warning', text: where });
        transcript.toNewest();
      }),
  };
}
