import type { Theme } from '../theme/theme.ts';
import { paint } from '../theme/theme.ts';

/** What an empty transcript says. All text must be clean. */
export type WelcomeInput = {
  version: string;
  cwdLabel: string;
  /** `provider/model`, or null when none is chosen. */
  model: string | null;
  /** Keys and what they do, most useful first. */
  hints: readonly { key: string; text: string }[];
};

/** At most eight rows. */
export function welcomeRows(input: WelcomeInput, { theme }: { width: number; theme: Theme }): string[] {
  return [paint(theme, 'accent', `llmcode ${input.version}`)];
}
