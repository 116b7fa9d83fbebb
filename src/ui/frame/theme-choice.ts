import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { Environment } from '#lib/paths.ts';
import { appearanceHint, queryBackground } from '../theme/background.ts';
import { detectColorLevel } from '../theme/color-level.ts';
import { fallbackTheme, loadTheme, type Theme } from '../theme/theme.ts';

/** The theme that goes by the terminal's background. */
const autoTheme = 'auto';

const answerMs = 1_000;

interface ThemeChoice {
  first(): Theme;
  /** The theme by its id; undefined when there is none. Throws `theme-invalid`. */
  find(id: string): Theme | undefined;
  /** Asks the terminal for its background; `onTheme` gets another theme when the first one goes by it. */
  askTerminal(onTheme: (theme: Theme) => unknown): Promise<void>;
}

type ThemeSource = { themeId: string; loadText: (id: string) => string | undefined; env: Environment };

function findTheme(
  id: string,
  { loadText, env }: Omit<ThemeSource, 'themeId'>,
  appearance = appearanceHint(env),
): Theme | undefined {
  const json = loadText(id === autoTheme ? (appearance ?? 'dark') : id);
  return json === undefined ? undefined : loadTheme(json, { colorLevel: detectColorLevel(env) });
}

/** What the first frame is drawn with. Never throws: a theme that cannot be read is replaced by the base one. */
export function firstTheme(source: ThemeSource): Theme {
  const colorLevel = detectColorLevel(source.env);
  try {
    return findTheme(source.themeId, source) ?? fallbackTheme({ colorLevel });
  } catch (error) {
    log(`theme ${source.themeId}: ${errorText(error)}`);
    return fallbackTheme({ colorLevel });
  }
}

export function createThemeChoice(options: {
  themeId: string;
  loadText: (id: string) => string | undefined;
  env: Environment;
  clock: Clock;
  write: (text: string) => void;
  onReply: (listener: (reply: string) => void) => () => void;
}): ThemeChoice {
  const { themeId, env } = options;
  const colorLevel = detectColorLevel(env);
  const hint = appearanceHint(env);
  let answered: 'dark' | 'light' | undefined;
  const find = (id: string) => findTheme(id, options, hint ?? answered);
  return {
    find,
    first: () => firstTheme(options),
    async askTerminal(onTheme) {
      // A terminal that says so in its environment need not be asked; without colours there is nothing to choose.
      if (hint !== undefined || colorLevel === 'none') return;
      const { clock, write, onReply } = options;
      const found = await queryBackground({ clock, write, onReply, timeoutMs: answerMs });
      answered = found;
      // `auto` may be chosen later, and wants the answer then.
      const theme = found === 'light' && themeId === autoTheme ? find(autoTheme) : undefined;
      if (theme) onTheme(theme);
    },
  };
}
