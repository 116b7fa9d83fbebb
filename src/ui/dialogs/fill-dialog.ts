import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { ModelChoice, SilentProvider } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import type { OpenedDialog } from './dialog.ts';
import { withSettings } from './lists/config-dialog.ts';
import { followTasks, type LiveParts } from './lists/follow-tasks.ts';
import { withOverview } from './lists/permissions-dialog.ts';
import { fillThreads } from './lists/thread-lookups.ts';
import { endSearch, withChoices, withMarks } from './model/model-dialog.ts';

/** Puts what was found into the dialog, if it is still that one. */
export type UpdateDialog = <Kind extends OpenedDialog['kind']>(
  kind: Kind,
  change: (dialog: Extract<OpenedDialog, { kind: Kind }>) => OpenedDialog,
) => void;

/** Fetches what a dialog lists. Never rejects: a failure is shown in the dialog. Ends early when `signal` aborts. */
export async function fillDialog(
  dialog: OpenedDialog,
  {
    port,
    signal,
    update,
    live,
  }: { port: ScreenPort; signal: AbortSignal; update: UpdateDialog; live: LiveParts },
): Promise<void> {
  const guarded: UpdateDialog = (kind, change) => {
    if (!signal.aborted) update(kind, change);
  };
  switch (dialog.kind) {
    case 'model':
      return fillModels(dialog.choices, { port, signal, update: guarded });
    case 'threads':
      return fillThreads(dialog, port, (change) => guarded('threads', change));
    case 'config':
      try {
        const rows = await port.settings();
        guarded('config', (open) => withSettings(open, rows));
      } catch (error) {
        guarded('config', (open) => ({ ...open, rows: [], failure: errorText(error) }));
      }
      return;
    case 'permissions':
      try {
        const overview = await port.permissions?.();
        if (overview) guarded('permissions', (open) => withOverview(open, overview));
      } catch (error) {
        guarded('permissions', (open) => ({ ...open, failure: errorText(error) }));
      }
      return;
    case 'tasks':
      return followTasks(live, { signal, update: (change) => guarded('tasks', change) });
    case 'help':
    case 'theme':
    case 'mode':
    case 'rewind':
    case 'consult':
    case 'copy':
    case 'palette':
      return;
  }
}

/** What an earlier search found stays in the list until this one has ended: rows must not come and go. */
async function fillModels(
  known: readonly ModelChoice[],
  { port, signal, update }: { port: ScreenPort; signal: AbortSignal; update: UpdateDialog },
): Promise<void> {
  let found: readonly ModelChoice[] = [];
  let silent: readonly SilentProvider[] = [];
  const onSilent = (provider: SilentProvider) => {
    silent = [...silent, provider];
    update('model', (open) => ({ ...open, silent }));
  };
  try {
    const marks = await port.modelMarks();
    update('model', (open) => withMarks(open, marks));
  } catch (error) {
    log('what the person chose before cannot be read:', error); // The list is there without it.
  }
  try {
    update('model', (open) => ({ ...open, silent: [] }));
    for await (const choices of port.modelChoices(signal, onSilent)) {
      if (signal.aborted) return;
      found = choices;
      update('model', (open) => withChoices(open, [...choices, ...missingFrom(choices, known)]));
    }
    update('model', (open) => endSearch(withChoices(open, found), null));
  } catch (error) {
    update('model', (open) => endSearch(open, errorText(error)));
  }
}

function missingFrom(choices: readonly ModelChoice[], known: readonly ModelChoice[]): readonly ModelChoice[] {
  const ids = new Set(choices.map(({ ref }) => formatModelRef(ref)));
  return known.filter(({ ref }) => !ids.has(formatModelRef(ref)));
}
