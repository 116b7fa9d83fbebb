/** Known without loading any of them. */
export const subcommandNames = [
  'models',
  'doctor',
  'config',
  'threads',
  'consult',
  'permissions',
  'tool',
  'completion',
] as const;
