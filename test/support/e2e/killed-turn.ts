import type { AnswerPart, ServerScript } from '../model-servers/index.ts';
import { callsIn, type VendorId, vendors } from './four-vendors.ts';

/** What the person says after a crash; every vendor answers it with `Resumed.` */
export const goOn = 'go on after the crash';
/** An answer to this begins and never ends; with `carryOn` the task goes on. */
export const hold = 'hold the line';
export const carryOn = 'carry on';

const chatter = (about: string) =>
  `I think about ${about}, at some length, so that there is time to be stopped in the middle of these words.`;

/** By how many calls the conversation holds: the next model call of the task. */
const steps: Readonly<Record<number, readonly AnswerPart[]>> = {
  0: [
    { reasoning: chatter('the test') },
    { text: chatter('the file') },
    { call: 'read_file', input: { path: 'src/total.mjs' } },
    { call: 'todo_write', input: { todos: [{ content: 'mend the total', status: 'in_progress' }] } },
  ],
  2: [
    { text: chatter('the first command') },
    { call: 'bash', input: { command: 'echo one >> ran.log; sleep 0.2' } },
  ],
  3: [
    { reasoning: chatter('the change') },
    {
      call: 'edit_file',
      input: { path: 'src/total.mjs', old_string: 'sum + coupon', new_string: 'sum - coupon' },
    },
  ],
  4: [
    { text: chatter('the second command') },
    { call: 'bash', input: { command: 'echo two >> ran.log; sleep 0.2' } },
  ],
  5: [{ reasoning: chatter('the answer') }, { text: chatter('what was done') }],
};

/** A turn of five model calls and five tools in which a process can be killed, on any of the four APIs. */
export function killedTurn(vendor: VendorId): ServerScript {
  const { api } = vendors.find(({ id }) => id === vendor) ?? vendors[0];
  return ({ body }) => {
    const said = JSON.stringify(body);
    if (said.includes(goOn)) return { parts: [{ text: 'Resumed.' }] };
    if (said.lastIndexOf(hold) > said.lastIndexOf(carryOn))
      return { parts: [{ text: 'I hold it.' }, { stall: true }] };
    return { parts: steps[callsIn(api, body)] ?? [{ text: 'An odd number of calls.' }], gapMs: 3 };
  };
}

/** Numbers from 0 up to 1 that are the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
