export type Register = { readonly text: string; readonly isLinewise: boolean };
/** By name: a letter, a digit, `-`, `+`, and `"` for the one that was used last. */
export type Registers = ReadonlyMap<string, Register>;

export const noRegisters: Registers = new Map();

/** What is asked for by name; the clipboard is one of the terminal's, so `*` and `+` are the same. */
export function readRegister(registers: Registers, name: string | null): Register | undefined {
  if (name === '_') return undefined;
  return registers.get(name === '*' ? '+' : (name ?? '"').toLowerCase());
}

export function isRegisterName(name: string): boolean {
  return /^[a-zA-Z0-9"_+*-]$/.test(name);
}

/** Keeps what was yanked or deleted, where Vim would: a deletion of lines moves the older ones on. */
export function writeRegister(
  registers: Registers,
  value: Register,
  { name, isYank }: { name: string | null; isYank: boolean },
): Registers {
  if (name === '_') return registers;
  const next = new Map(registers);
  if (name !== null && name !== '"') {
    const key = name === '*' ? '+' : name.toLowerCase();
    const kept = name !== key && /[A-Z]/.test(name) ? joined(registers.get(key), value) : value;
    next.set(key, kept);
    return next.set('"', kept);
  }
  if (isYank) next.set('0', value);
  else if (!value.isLinewise && !value.text.includes('\n')) next.set('-', value);
  else {
    for (let index = 9; index > 1; index -= 1) {
      const older = registers.get(String(index - 1));
      if (older) next.set(String(index), older);
    }
    next.set('1', value);
  }
  return next.set('"', value);
}

function joined(old: Register | undefined, added: Register): Register {
  if (!old) return added;
  const isLinewise = old.isLinewise || added.isLinewise;
  return { text: old.text + (isLinewise ? '\n' : '') + added.text, isLinewise };
}
