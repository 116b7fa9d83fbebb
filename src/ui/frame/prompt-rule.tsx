import { useSyncExternalStore } from 'react';
import { isShellLine } from '../prompt/prompt-rows.ts';
import type { PromptStore } from '../prompt/prompt-store.ts';
import { Row } from './row.tsx';
import { ruleSpans } from './rule-spans.ts';

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
  return <Row spans={ruleSpans({ isShell, width, margin })} />;
}

function neverChanges(): () => void {
  return () => undefined;
}
