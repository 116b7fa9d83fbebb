import { Box } from 'ink';
import { useSyncExternalStore } from 'react';
import { DialogHost, dialogRows } from '../dialogs/dialog-host.tsx';
import { Popup, popupRows } from '../prompt/popup.tsx';
import { promptCells } from '../prompt/prompt-rows.ts';
import { PromptText } from '../prompt/prompt-text.tsx';
import { isActive, isBusy } from '../status/activity.ts';
import { ActivityLine } from '../status/activity-line.tsx';
import { PendingRows } from '../status/pending-rows.tsx';
import { StatusBar } from '../status/status-bar.tsx';
import { TodoLine } from '../status/todo-line.tsx';
import { useStore } from '../store/use-store.ts';
import { chordRows } from './chord-rows.ts';
import { Conversation } from './conversation.tsx';
import { layoutFrame, maxDialogRows, sideMargin } from './frame.ts';
import { PromptRule } from './prompt-rule.tsx';
import { Rows } from './row.tsx';
import type { ScreenApp } from './screen-app.ts';
import { useWelcome } from './use-welcome.ts';

/** Everything between the edges of a window that is large enough. */
export function ScreenBody({ app, columns, rows }: { app: ScreenApp; columns: number; rows: number }) {
  const { store, screen, prompt, dialogs, clock } = app;
  const margin = sideMargin(columns);
  const maxRows = maxDialogRows(rows);
  const pending = useStore(store, ({ thread }) => thread.pending.length);
  const busy = useStore(store, ({ thread }) => isBusy(thread));
  const active = useStore(store, ({ thread }) => isActive(thread));
  // A plan that is done is no news; it must not stand there in the next turn either.
  const hasTodos = useStore(store, ({ thread }) => thread.todos.some((todo) => todo.status !== 'completed'));
  const wantedPrompt = useSyncExternalStore(prompt.subscribe, () =>
    prompt.rows(promptCells(columns, margin)),
  );
  const wantedPopup = useSyncExternalStore(prompt.subscribe, () => popupRows(prompt));
  const wantedDialog = useSyncExternalStore(dialogs.subscribe, () =>
    dialogRows(dialogs, { width: columns, maxRows }),
  );
  const hasPlan = useSyncExternalStore(screen.subscribe, () => screen.get().panel === 'todos');
  const chord = useSyncExternalStore(screen.subscribe, () => screen.get().chord);
  const chordLines = chord ? chordRows(chord, columns - margin * 2) : null;
  const welcome = useWelcome(app);
  const frame = layoutFrame({
    rows,
    prompt: wantedPrompt,
    popup: chordLines?.length ?? wantedPopup,
    pending,
    isBusy: active,
    hasTodos: hasTodos && !hasPlan,
    dialog: wantedDialog,
  });
  const popupTop = frame.transcript + frame.activity + frame.todos;
  const promptTop = popupTop + frame.popup + frame.topRule + frame.pending;
  const place = { width: columns, margin };
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Conversation app={app} width={columns} height={frame.transcript} welcome={welcome} />
      {frame.activity > 0 && <ActivityLine store={store} clock={clock} {...place} />}
      {frame.todos > 0 && <TodoLine store={store} {...place} />}
      {frame.popup > 0 &&
        (chordLines ? (
          <Rows rows={chordLines.slice(0, frame.popup)} margin={margin} />
        ) : (
          <Popup prompt={prompt} rows={frame.popup} {...place} />
        ))}
      {frame.topRule > 0 && <PromptRule prompt={prompt} {...place} />}
      {frame.pending > 0 && <PendingRows store={store} count={frame.pending} {...place} />}
      {frame.prompt > 0 && (
        <PromptText
          prompt={prompt}
          rows={frame.prompt}
          top={promptTop}
          searchTop={popupTop}
          isBusy={busy}
          {...place}
        />
      )}
      {frame.bottomRule > 0 && <PromptRule {...place} />}
      {frame.dialog > 0 && (
        <DialogHost
          dialogs={dialogs}
          store={store}
          width={columns}
          maxRows={maxRows}
          top={frame.transcript}
        />
      )}
      <StatusBar app={app} {...place} />
    </Box>
  );
}
