/** So many commands may run in the background of one thread at a time. Apart from the schemas: the first paint needs it. */
export const mostRunningShells = 16;
