export function leftoverProcesses(folder: string): string[];
