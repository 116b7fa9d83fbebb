export type PlannedTodo = { content: string; status: 'pending' | 'in_progress' | 'completed' };
export type PlannedCall = { tool: string; input: { [key: string]: string | PlannedTodo[] } };

/** What the script does next: what it thinks and says, then the tools it calls. Without calls the turn ends. */
export type DemoStep = { thought?: string; say?: string; calls: PlannedCall[] };
