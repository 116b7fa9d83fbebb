import { Box, Text } from 'ink';
import type { UiStore } from '../store/ui-store.ts';
import { useStore } from '../store/use-store.ts';
import { useTheme } from '../theme/theme.ts';
import type { TranscriptActions } from './actions.ts';
import { type WelcomeInput, welcomeRows } from './welcome.ts';

export type { TranscriptActions } from './actions.ts';
export type { WelcomeInput } from './welcome.ts';

/** The conversation in a box of exactly `width` by `height` cells. */
export function Transcript({ store, width, height, welcome }: {
  store: UiStore;
  width: number;
  height: number;
  /** Shown while the thread is empty. */
  welcome: WelcomeInput;
}) {
  const theme = useTheme();
  const messages = useStore(store, ({ thread }) => thread.messages);
  const rows = messages.length === 0 ? welcomeRows(welcome, { width, theme }) : [];
  return (
    <Box flexDirection="column" width={width} height={height}>
      {rows.map((row) => (
        <Text key={row}>{row}</Text>
      ))}
    </Box>
  );
}

/** The actions on the transcript of this store. The same object for the same store. */
export function transcriptActions(_store: UiStore): TranscriptActions {
  throw new Error('being written');
}
