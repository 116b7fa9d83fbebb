import { Box, Text, useApp, useInput, usePaste, useWindowSize } from 'ink';
import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import { decodeKeys, type KeyPress, pasteKey } from '../input/key-press.ts';
import { promptCells } from '../prompt/prompt-rows.ts';
import { ThemeContext } from '../theme/theme-context.ts';
import { isTooSmall, sideMargin, smallest } from './frame.ts';
import type { ScreenApp } from './screen-app.ts';
import { ScreenBody } from './screen-body.tsx';

/** Windows consoles clear a frame of full height on every change; one row less is drawn in place. */
const lostRows = process.platform === 'win32' ? 1 : 0;

/** The whole screen: exactly as large as the window, never larger. */
export function Root({ app }: { app: ScreenApp }) {
  const size = useWindowSize();
  const { theme } = useSyncExternalStore(app.screen.subscribe, app.screen.get);
  const columns = size.columns;
  const rows = size.rows - lostRows;
  useLayoutEffect(() => {
    app.prompt.setWidth(promptCells(columns, sideMargin(columns)));
  }, [app, columns]);
  const isHidden = isTooSmall({ columns, rows });
  return (
    <ThemeContext value={theme}>
      <InkConnection app={app} />
      <Keyboard app={app} isHidden={isHidden} />
      {isHidden ? (
        <TooSmall columns={columns} rows={rows} />
      ) : (
        <ScreenBody app={app} columns={columns} rows={rows} />
      )}
    </ThemeContext>
  );
}

/** Keys go to the controller at once, never through React's state: none is lost or overtaken. */
function Keyboard({ app, isHidden }: { app: ScreenApp; isHidden: boolean }) {
  const press = (keys: readonly KeyPress[]) => {
    try {
      for (const key of keys) {
        const isBlind = isHidden && app.dialogs.isOpen();
        if (!isBlind || worksUnseen(key)) app.controller.key(key);
      }
    } catch (error) {
      app.fail(error);
    }
  };
  useInput((input, key) => press(decodeKeys(input, key)));
  usePaste((text) => press([pasteKey(text)]));
  return null;
}

/** A question that cannot be seen is not answered; stopping and leaving work all the same. */
function worksUnseen({ ctrl, name }: KeyPress): boolean {
  return name === 'escape' || (ctrl && ['c', 'l', 'z'].includes(name));
}

function InkConnection({ app }: { app: ScreenApp }) {
  const { suspendTerminal, exit } = useApp();
  useEffect(() => {
    app.connectInk({
      suspend: (work) => suspendTerminal(work),
      leave: () => exit(),
      fail: (error) => exit(error instanceof Error ? error : new Error(String(error))),
    });
  }, [app, suspendTerminal, exit]);
  return null;
}

function TooSmall({ columns, rows }: { columns: number; rows: number }) {
  return (
    <Box width={columns} height={rows} alignItems="center" justifyContent="center" flexDirection="column">
      <Text wrap="truncate">window too small</Text>
      {rows > 1 && (
        <Text wrap="truncate">
          {columns}x{rows}, needs {smallest.columns}x{smallest.rows}
        </Text>
      )}
    </Box>
  );
}
