/** What happened outside of a thread in mid-session; the model hears of it with the next message, each text once. */
export interface SessionNews {
  tell(text: string): void;
  take(): string[];
}

export function createSessionNews(): SessionNews {
  let texts: string[] = [];
  return {
    tell: (text) => texts.push(text),
    take() {
      const taken = texts;
      texts = [];
      return taken;
    },
  };
}
