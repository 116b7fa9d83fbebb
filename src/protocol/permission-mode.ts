// Free of zod, like every file here that the first paint needs.

export const permissionModes = [
  'plan',
  'read_only',
  'prompt',
  'workspace_write',
  'auto_accept',
  'full_access',
] as const;

type Mode = (typeof permissionModes)[number];

const modeAliases: Readonly<Record<string, Mode>> = {
  default: 'prompt',
  ask: 'prompt',
  accept_edits: 'workspace_write',
  acceptEdits: 'workspace_write',
  auto: 'auto_accept',
  yolo: 'full_access',
  bypassPermissions: 'full_access',
};

/** Every spelling that `parsePermissionMode` takes. */
export const permissionModeNames: readonly string[] = [...permissionModes, ...Object.keys(modeAliases)];

/** Reads a mode by its name or one of its accepted aliases. */
export function parsePermissionMode(text: string): Mode | undefined {
  const mode = permissionModes.find((known) => known === text);
  if (mode) return mode;
  return Object.hasOwn(modeAliases, text) ? modeAliases[text] : undefined;
}

/** What Shift+Tab steps through. */
export function nextMode(mode: Mode): Mode {
  const cycle: readonly Mode[] = ['plan', 'prompt', 'workspace_write', 'auto_accept'];
  return cycle[(cycle.indexOf(mode) + 1) % cycle.length] ?? 'prompt';
}
