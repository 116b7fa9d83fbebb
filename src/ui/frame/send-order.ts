import type { CommandSpec } from '#protocol/command.ts';

/** What is sent while a command opens another thread is for that thread, and waits for it, in its order. */
export interface SendOrder {
  /** The command opens another thread, or fails at it, until this resolves. It never rejects. */
  open(opening: Promise<void>): void;
  /** True: something is being opened, and `send` is called when that is done. */
  holds(send: () => void): boolean;
}

export function createSendOrder(): SendOrder {
  let opening: Promise<void> | undefined;
  let held: (() => void)[] = [];
  return {
    open(work) {
      opening = work.then(() => {
        opening = undefined;
        const waiting = held;
        held = [];
        // One that opens a thread in its turn holds those after it.
        for (const send of waiting) send();
      });
    },
    holds(send) {
      if (!opening) return false;
      held.push(send);
      return true;
    },
  };
}

/** Whether a line asks for a command that may open another thread. */
export function opensThread(line: string, commands: readonly CommandSpec[]): boolean {
  const [, name = ''] = /^\/(\S+)/.exec(line) ?? [];
  const command = commands.find((each) => each.name === name || each.aliases.includes(name));
  return command?.opensThread === true;
}
