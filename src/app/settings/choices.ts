import path from 'node:path';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { readRegularTextSync } from '#lib/regular-file.ts';
import { isRecord } from './settings-object.ts';

/** What the program itself writes down. A hand-written `config.json` is never touched for these. */
export type Choices = {
  theme?: string;
  /** How the prompt is edited. */
  editorMode?: 'emacs' | 'vim';
  /** Who gets the mouse. */
  mouse?: 'on' | 'off';
  /** `provider/model`, the model that the person chose last. */
  model?: string;
  /** Models that the person chose, newest first. */
  recentModels?: string[];
  /** Models that the person marked, in the order of the marks. */
  favouriteModels?: string[];
  /** Real path of a trusted folder -> fingerprint of what was trusted. */
  trusted?: Record<string, string>;
  /** The person confirmed once that full_access asks nothing. */
  fullAccess?: boolean;
};

const name = 'choices';
const maxBytes = 4_194_304;

export function choicesFile(home: string): string {
  return path.join(home, `${name}.json`);
}

/** Reads without the library that writes: the first paint waits for this. A damaged file counts as empty. */
export function readChoices(home: string): Choices {
  try {
    const value: unknown = JSON.parse(readRegularTextSync(choicesFile(home), { maxBytes }));
    if (!isRecord(value)) return {};
    const { theme, editorMode, mouse, model, recentModels, favouriteModels, trusted, fullAccess } = value;
    return {
      ...(typeof theme === 'string' ? { theme } : {}),
      ...(editorMode === 'emacs' || editorMode === 'vim' ? { editorMode } : {}),
      ...(mouse === 'on' || mouse === 'off' ? { mouse } : {}),
      ...(typeof model === 'string' ? { model } : {}),
      ...(Array.isArray(recentModels) ? { recentModels: recentModels.filter(isText) } : {}),
      ...(Array.isArray(favouriteModels) ? { favouriteModels: favouriteModels.filter(isText) } : {}),
      ...(isRecord(trusted) ? { trusted: trusted as Record<string, string> } : {}),
      ...(fullAccess === true ? { fullAccess } : {}),
    };
  } catch {
    return {}; // Missing or damaged: the choices are asked for again.
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Writes one choice. Rejects with `home-readonly` when the folder cannot be written. */
export async function remember<Key extends keyof Choices>(
  home: string,
  key: Key,
  value: NonNullable<Choices[Key]>,
): Promise<void> {
  const { default: Conf } = await import('conf');
  try {
    const store = new Conf<Choices>({
      cwd: home,
      configName: name,
      configFileMode: 0o600,
      clearInvalidConfig: true,
      accessPropertiesByDotNotation: false,
    });
    store.set({ [key]: value } as Partial<Choices>);
  } catch (error) {
    throw new LlmcodeError('home-readonly', `${choicesFile(home)} cannot be written: ${errorText(error)}`, {
      cause: error,
    });
  }
}
