import type { RuleExamples } from '#protocol/permission.ts';
import type { DecisionEnd, PermissionCall, PermissionGate } from '#protocol/permission-gate.ts';
import type { SessionRules } from './session-rules.ts';

/** A gate whose rules can be read anew; what was allowed for the session stays allowed. */
export class LiveGate implements PermissionGate {
  readonly #make: () => PermissionGate;
  readonly #session: SessionRules;
  readonly #write: (call: PermissionCall, end: DecisionEnd) => void;
  readonly #readable: string[] = [];
  #gate: PermissionGate;

  constructor(
    make: () => PermissionGate,
    session: SessionRules,
    write: (call: PermissionCall, end: DecisionEnd) => void,
  ) {
    this.#make = make;
    this.#session = session;
    this.#write = write;
    this.#gate = make();
  }

  decide(call: PermissionCall): ReturnType<PermissionGate['decide']> {
    return this.#gate.decide(call);
  }

  examples(rule: string, call: PermissionCall): RuleExamples {
    return this.#gate.examples?.(rule, call) ?? { covers: [], leaves: [] };
  }

  async allow(rule: string, scope: 'session' | 'project'): Promise<void> {
    // Refuses what cannot be a rule or would be too wide.
    await this.#gate.allow(rule, scope);
    if (scope === 'session') this.#session.add('allow', rule);
    else this.#session.changed();
  }

  allowReading(folder: string): void {
    this.#gate.allowReading(folder);
    this.#readable.push(folder);
  }

  note(call: PermissionCall, end: DecisionEnd): void {
    this.#write(call, end);
  }

  renew(): void {
    const gate = this.#make();
    for (const folder of this.#readable) gate.allowReading(folder);
    this.#gate = gate;
  }
}
