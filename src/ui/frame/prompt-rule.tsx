import { useSyncExternalStore } from 'react';
import { textWidth } from '#lib/text-width.ts';
import type { PromptStore } from '../prompt/prompt-store.ts';
import { isShellLine } from '../prompt/prompt-text.tsx';
import { span } from '../theme/span.ts';
import { Row } from './row.tsx';

const shellLabel = ' runs here, the model sees the output ';

/** A line around the prompt. The one above it says when the text is a command for the shell. */
export function PromptRule({
  prompt,
  width,
  margin,
}: {
  prompt?: PromptStore;
  width: number;
  margin: number;
}) {
  const isShell = useSyncExternalStore(
    prompt?.subscribe ?? neverChanges,
    () => prompt !== undefined && isShellLine(prompt.getState().editor.text),
  );
  const cells = width - margin * 2;
  const label = isShell && textWidth(shellLabel) + 6 <= cells ? shellLabel : '';
  const token = isShell ? 'warning' : 'border';
  const line = '─'.repeat(cells - textWidth(label) - (label === '' ? 0 : 2));
  return (
    <Row
      spans={[
        span(' '.repeat(margin)),
        span(line, token),
        ...(label === '' ? [] : [span(label, 'warning'), span('──', token)]),
      ]}
    />
  );
}

function neverChanges(): () => void {
  return () => undefined;
}
