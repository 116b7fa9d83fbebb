import { describe, expect, it } from 'vitest';
import { readEvidence } from '#app/demo/evidence.ts';
import { patch } from '#app/demo/fix-story.ts';
import { nextStep } from '#app/demo/story.ts';
import type { Message, ToolResult } from '#protocol/message.ts';

type Step = ReturnType<typeof nextStep>;
type Answer = (tool: string, input: Record<string, unknown>) => Partial<ToolResult> & { text: string };

const cart = `/** … */\n${patch.before}\n`;
const failing =
  '✔ a (1.2ms)\n✖ lets a gift card pay what the coupon leaves (0.9ms)\nℹ pass 5\nℹ fail 1\n1350 !== 1300';
const passing = 'ok 1 - a\n# pass 6\n# fail 0';

/** Plays the script until it makes no call, answering each call; returns what it said and called. */
function play(messages: Message[], answer: Answer): Step[] {
  const steps: Step[] = [];
  for (let round = 0; round < 20; round += 1) {
    const step = nextStep(readEvidence(messages));
    steps.push(step);
    messages.push(assistant(step, answer, `m${messages.length}`));
    if (step.calls.length === 0) return steps;
  }
  throw new Error('the script does not end');
}

function person(text: string, origin: 'person' | 'steer' = 'person'): Message {
  return { id: `p${text}`, role: 'user', origin, createdAt: 0, parts: [{ id: 'x', kind: 'text', text }] };
}

function assistant(step: Step, answer: Answer, id: string): Message {
  return {
    id,
    role: 'assistant',
    createdAt: 0,
    parts: [
      ...(step.say ? [{ id: `${id}t`, kind: 'text' as const, text: step.say }] : []),
      ...step.calls.map((call, index) => {
        const { text, status = 'ok' } = answer(call.tool, call.input);
        return {
          id: `${id}c${index}`,
          kind: 'tool-call' as const,
          callId: `${id}c${index}`,
          tool: call.tool,
          input: call.input,
          result: { status, forModel: [{ kind: 'text' as const, text }], durationMs: 1 },
        };
      }),
    ],
  };
}

/** Tools of a world in which everything is allowed and the edit repairs the project. */
function workingWorld(): Answer {
  let isFixed = false;
  return (tool, input) => {
    if (tool === 'bash') return { text: isFixed ? passing : failing };
    if (tool === 'read_file') return { text: input['path'] === 'src/cart.js' ? cart : 'test' };
    if (tool === 'edit_file') {
      isFixed = true;
      return { text: 'edited' };
    }
    return { text: 'ok' };
  };
}

function tools(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => step.calls.map((call) => call.tool));
}

describe('the demo script', () => {
  it('plans, tests, reads, edits, tests again and answers', () => {
    const steps = play([person('fix the failing test')], workingWorld());
    expect(tools(steps)).toEqual([
      'todo_write',
      'bash',
      'todo_write',
      'read_file',
      'read_file',
      'edit_file',
      'bash',
      'todo_write',
    ]);
    expect(steps.at(-1)?.say).toContain('all 6 tests pass');
    expect(steps.some((step) => step.say?.includes('It expects 1300 and gets 1350'))).toBe(true);
  });

  it('changes nothing when the tests pass already', () => {
    const steps = play([person('fix the failing test')], () => ({ text: passing }));
    expect(tools(steps)).toEqual(['todo_write', 'bash']);
    expect(steps.at(-1)?.say).toContain('nothing to fix');
  });

  it('says so when the edit is refused, and proposes it again when asked to', () => {
    const messages = [person('fix the failing test')];
    const world = workingWorld();
    const refusing: Answer = (tool, input) =>
      tool === 'edit_file'
        ? { status: 'denied', text: 'The person refused this call and says: too risky' }
        : world(tool, input);
    const first = play(messages, refusing);
    expect(first.at(-1)?.say).toContain(
      'You did not allow the edit, so the file stays as it is. You said: "too risky".',
    );

    messages.push(person('show the patch'));
    expect(play(messages, world).at(-1)?.say).toContain('```diff');

    messages.push(person('go ahead'));
    const second = play(messages, world);
    expect(tools(second)).toEqual(['read_file', 'edit_file', 'bash', 'todo_write']);
    expect(second.at(-1)?.say).toContain('all 6 tests pass');
  });

  it('names the mode when plan mode forbids the edit', () => {
    const world = workingWorld();
    const steps = play([person('fix the failing test')], (tool, input) =>
      tool === 'edit_file'
        ? { status: 'denied', text: 'Not permitted: plan mode changes nothing and runs only what reads.' }
        : world(tool, input),
    );
    expect(steps.at(-1)?.say).toContain('permission mode');
  });

  it('goes by the code when the tests may not run, and says that the change is not verified', () => {
    const world = workingWorld();
    const steps = play([person('fix the failing test')], (tool, input) =>
      tool === 'bash' ? { status: 'denied', text: 'no' } : world(tool, input),
    );
    expect(tools(steps)).toContain('edit_file');
    expect(steps.at(-1)?.say).toContain('not verified');
  });

  it('does not edit a file that it does not know', () => {
    const world = workingWorld();
    const steps = play([person('fix the failing test')], (tool, input) =>
      tool === 'read_file' ? { text: 'export const something = else;' } : world(tool, input),
    );
    expect(tools(steps)).not.toContain('edit_file');
    expect(steps.at(-1)?.say).toContain('do not guess');
  });

  it('says what it is when asked for something else', () => {
    for (const text of [
      'write me a poem about the sea',
      'what is the meaning of life?',
      'are you a model?',
      '',
    ]) {
      const [step] = play([person(text)], workingWorld());
      expect(step?.calls).toEqual([]);
      expect(step?.say).toContain('a script, no language model');
    }
  });

  it('stops when told to in the middle of the work', () => {
    const messages = [person('fix the failing test')];
    messages.push(
      assistant(nextStep(readEvidence(messages)), workingWorld(), 'a'),
      person('stop please', 'steer'),
    );
    expect(nextStep(readEvidence(messages))).toEqual({ say: 'I stop here, as you asked.', calls: [] });
  });

  it('notes what is said meanwhile and goes on', () => {
    const messages = [person('fix the failing test')];
    messages.push(
      assistant(nextStep(readEvidence(messages)), workingWorld(), 'a'),
      person('also look at refunds', 'steer'),
    );
    const step = nextStep(readEvidence(messages));
    expect(step.say).toContain('also look at refunds');
    expect(step.calls.map((call) => call.tool)).toEqual(['bash']);
  });

  it('explains the project from its files', () => {
    const steps = play([person('explain this project')], workingWorld());
    expect(tools(steps)).toEqual(['read_file', 'read_file']);
    expect(steps.at(-1)?.say).toContain('till of a small shop');
  });
});
