import type { ConfigFile } from './config-file.ts';
import type { SettingsObject } from './settings-object.ts';

/** One source of settings. Later layers win. */
export type Layer = {
  /** Where a person finds it: a file, `LLMCODE_MODEL`, `--model`. */
  origin: string;
  kind: 'user' | 'project' | 'local' | 'remembered' | 'environment' | 'flag';
  value: SettingsObject;
  /** Before `{env:…}` and `{file:…}` were filled in: what may be shown. */
  shown: SettingsObject;
  file?: ConfigFile;
};
