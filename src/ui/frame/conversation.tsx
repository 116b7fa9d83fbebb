import { Box } from 'ink';
import { useSyncExternalStore } from 'react';
import { keyLabel } from '../input/key-label.ts';
import { keyFor } from '../input/keymap.ts';
import { Panel } from '../panel/panel.tsx';
import { panelColumns, panelHeight } from '../panel/panel-place.ts';
import { type PanelKind, panelRows } from '../panel/panel-rows.ts';
import { useStore } from '../store/use-store.ts';
import { Transcript } from '../transcript/transcript.tsx';
import type { WelcomeInput } from '../transcript/welcome.ts';
import type { ScreenApp } from './screen-app.ts';

type ConversationProps = {
  readonly app: ScreenApp;
  readonly width: number;
  readonly height: number;
  readonly welcome: WelcomeInput;
};

/** The conversation, and the panel that is open: beside it in a wide window, in its lower part in another one. */
export function Conversation({ app, ...place }: ConversationProps) {
  const panel = useSyncExternalStore(app.screen.subscribe, () => app.screen.get().panel);
  return panel ? (
    <WithPanel app={app} panel={panel} {...place} />
  ) : (
    <Transcript store={app.store} {...place} />
  );
}

function WithPanel({ app, panel, width, height, welcome }: ConversationProps & { panel: PanelKind }) {
  const { store, clock, dialogs } = app;
  const columns = panelColumns(width);
  // How many rows it has does not depend on the time.
  const wanted = useStore(store, ({ thread: { todos, shells = [] } }) =>
    columns > 0
      ? 0
      : panelRows(panel, { todos, shells, now: 0 }, { width: width - 3, rows: height, key: undefined })
          .length,
  );
  const rows = columns > 0 ? height : panelHeight({ wanted: wanted + 1, transcript: height });
  const key = keyFor(dialogs.keymap, 'screen', panel === 'todos' ? 'toggle-todos' : 'toggle-tasks');
  const shown = {
    panel,
    store,
    clock,
    closeKey: key === undefined ? undefined : keyLabel(key),
    rows,
    isBeside: columns > 0,
    width: columns > 0 ? columns : width,
  };
  return (
    <Box flexDirection={columns > 0 ? 'row' : 'column'} width={width} height={height}>
      <Transcript
        store={store}
        width={width - columns}
        height={columns > 0 ? height : height - rows}
        welcome={welcome}
      />
      {rows > 0 && <Panel {...shown} />}
    </Box>
  );
}
