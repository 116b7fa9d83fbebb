import { z } from 'zod';
import { agentSettings } from '#agents/settings.ts';
import { lspSettings } from '#bridges/lsp/settings.ts';
import { engineSettings } from '#engine/settings.ts';
import { hookSettings } from '#hooks/settings.ts';
import { memorySettings } from '#memory/settings.ts';
import { permissionSettings } from '#permissions/settings.ts';
import { providerSettings } from '#providers/settings.ts';
import { toolSettings } from '#tools/settings.ts';

const appSettings = z.object({
  theme: z.string().min(1).default('auto').describe('colours: a theme by name, or auto by the background'),
  editor_mode: z
    .enum(['emacs', 'vim'])
    .default('emacs')
    .describe('keys of the prompt: as in readline, or as in Vim'),
  mouse: z
    .enum(['on', 'off'])
    .default('on')
    .describe('on: drag selects and copies, the wheel scrolls, a click opens; off: the terminal selects'),
  threads: z
    .object({
      keep_days: z
        .number()
        .int()
        .min(1)
        .optional()
        .describe(
          'conversations that were not used for so many days are deleted after a start, with what undoes their changes; archived ones stay. Without it all are kept',
        ),
    })
    .prefault({})
    .describe('conversations that are kept on disk'),
});

/** Every setting there is: the slices of the rooms under one roof. */
export const settingsSchema = z.object({
  ...appSettings.shape,
  ...providerSettings.shape,
  ...engineSettings.shape,
  ...permissionSettings.shape,
  ...hookSettings.shape,
  ...agentSettings.shape,
  ...toolSettings.shape,
  ...lspSettings.shape,
  ...memorySettings.shape,
});
export type SettingsValues = z.infer<typeof settingsSchema>;
