import { useSyncExternalStore } from 'react';
import { type LineUse, purposeOf } from '../prompt/prompt-rows.ts';
import type { PromptStore } from '../prompt/prompt-store.ts';
import { Row } from './row.tsx';
import { ruleSpans } from './rule-spans.ts';

/** A line around the prompt. The one above it says when Enter does something else than send. */
export function PromptRule({
  prompt,
  width,
  margin,
}: {
  prompt?: PromptStore;
  width: number;
  margin: number;
}) {
  const use = useSyncExternalStore<LineUse>(prompt?.subscribe ?? neverChanges, () =>
    prompt === undefined ? 'message' : purposeOf(prompt.getState().editor.text),
  );
  return <Row spans={ruleSpans({ use, width, margin })} />;
}

function neverChanges(): () => void {
  return () => undefined;
}
