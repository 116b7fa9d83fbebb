/** Known without loading any of them. */
export const subcommandNames = [
  'models',
  'doctor',
  'config',
  'threads',
  'consult',
  'permissions',
  'hooks',
  'memory',
  'tool',
  'completion',
] as const;
