import type { DemoStep, PlannedCall, PlannedTodo } from './demo-step.ts';
import type { DemoCall, Evidence } from './evidence.ts';
import { readTestReport } from './test-report.ts';

const source = 'src/cart.js';
const testCommand = 'node --test';

const giftCardFirst = `  if (giftCard) {
    amount -= giftCard.amount;
  }`;
const couponFirst = `  if (coupon) {
    amount = Math.round(amount * (1 - coupon.share));
  }`;
/** The change that repairs the sample project. */
export const patch = {
  before: `${giftCardFirst}\n${couponFirst}`,
  after: `${couponFirst}\n${giftCardFirst}`,
};

/** Plan, run the tests, read, edit, run the tests again, answer: each step from what the ones before brought. */
export function fixStep({ calls }: Evidence, { isSecondTry }: { isSecondTry: boolean }): DemoStep {
  const turn = calls.filter((call) => call.isOfThisTurn);
  const edit = turn.findLast(isEdit);
  if (edit) return afterEdit(edit, turn.slice(turn.indexOf(edit) + 1));
  if (isSecondTry) {
    if (turn.length === 0) return { say: 'I look at the file again first.', calls: [read(source)] };
    return afterReading(turn);
  }
  if (!turn.some((call) => call.tool === 'todo_write'))
    return {
      thought:
        'The request is about a failing test. First see which one fails and how, then read the code, and only then change something.',
      say: "I'll see what fails before I change anything.",
      calls: [plan('in_progress', 'pending', 'pending')],
    };
  const tests = turn.find(isTestRun);
  if (!tests) return { calls: [runTests('Run the tests')] };
  if (!turn.some((call) => call.tool === 'read_file')) return afterFirstTests(tests);
  return afterReading(turn);
}

export function isEdit(call: DemoCall): boolean {
  return call.tool === 'edit_file';
}

export function wasRefused(call: DemoCall): boolean {
  return call.status === 'denied';
}

/** Says what was refused, and why where that is known. */
export function toldNo(what: string, output: string): string {
  return `I was not able to ${what}.${saidWith(output)} Nothing was changed.`;
}

/** What the person or a rule said with a refusal; the rest of the text is advice to a model. */
function saidWith(output: string): string {
  const feedback = /\bsays: (.+)/.exec(output)?.[1];
  if (feedback !== undefined) return ` You said: "${feedback.trim().slice(0, 160)}".`;
  const rule = /\bNot permitted: (.+?)\. /.exec(output)?.[1];
  return rule === undefined ? '' : ` The reason: ${rule.slice(0, 160)}.`;
}

function afterFirstTests(tests: DemoCall): DemoStep {
  const calls = [read(source), read('test/cart.test.js')];
  if (wasRefused(tests)) return { say: 'Without a test run I go by the code alone.', calls };
  const report = readTestReport(tests.output);
  if (!report) return { say: 'That was no test report that I can read. I go by the code.', calls };
  if (report.failed === 0)
    return { say: `All ${report.passed} tests pass already; there is nothing to fix.`, calls: [] };
  const name = report.failures[0] ?? 'one test';
  const numbers = report.mismatch
    ? ` It expects ${report.mismatch.expected} and gets ${report.mismatch.actual}.`
    : '';
  return {
    say: `${report.failed} of ${report.passed + report.failed} tests ${report.failed === 1 ? 'fails' : 'fail'}: **${name}**.${numbers} I read the code and the test.`,
    calls: [plan('completed', 'in_progress', 'pending'), ...calls],
  };
}

function afterReading(turn: readonly DemoCall[]): DemoStep {
  const reading = turn.findLast((call) => call.tool === 'read_file' && pathOf(call).endsWith('cart.js'));
  if (reading?.status !== 'ok') return { say: toldNo(`read ${source}`, reading?.output ?? ''), calls: [] };
  const giftCard = reading.output.indexOf('amount -= giftCard.amount');
  const coupon = reading.output.indexOf('coupon.share');
  if (giftCard < 0 || coupon < 0)
    return {
      say: `\`${source}\` no longer looks as I know it. I am a script and do not guess: run \`git diff\` to see what changed, or start the demo again for a fresh copy.`,
      calls: [],
    };
  if (coupon < giftCard)
    return {
      say: `In \`${source}\` the coupon comes before the gift card already; there is nothing to change.`,
      calls: [],
    };
  return {
    thought:
      'The gift card is taken off first, so the coupon takes its share of too little. The coupon has to come first.',
    say: 'The gift card is taken off **before** the coupon takes its share. It has to be the other way round: a gift card pays what the coupon leaves.',
    calls: [
      { tool: 'edit_file', input: { path: source, old_string: patch.before, new_string: patch.after } },
    ],
  };
}

function afterEdit(edit: DemoCall, after: readonly DemoCall[]): DemoStep {
  if (wasRefused(edit)) return { say: afterRefusal(edit.output), calls: [] };
  if (edit.status !== 'ok')
    return { say: `The edit did not work: ${edit.output.trim().split('\n')[0] ?? ''}`, calls: [] };
  const tests = after.find(isTestRun);
  if (!tests) return { say: 'Now the tests again.', calls: [runTests('Run the tests again')] };
  if (wasRefused(tests))
    return {
      say: `The change is in \`${source}\`, but it is **not verified**: the tests were not allowed to run. \`${testCommand}\` shows whether it holds.`,
      calls: [],
    };
  const report = readTestReport(tests.output);
  if (!report || report.failed > 0)
    return {
      say: `The change is in \`${source}\`, but the tests do not pass. I am a script and out of ideas here.`,
      calls: [],
    };
  if (!after.some((call) => call.tool === 'todo_write'))
    return { calls: [plan('completed', 'completed', 'completed')] };
  return {
    say: [
      `Fixed: all ${report.passed} tests pass.`,
      `In \`total()\` (\`${source}\`) the coupon now takes its share first, then the gift card pays what is left:`,
      `\`\`\`js\n${patch.after}\n\`\`\``,
      '`/diff` shows the change. This was the offline demo; `/model` goes on with a real model.',
    ].join('\n\n'),
    calls: [],
  };
}

function afterRefusal(output: string): string {
  const isMode = /plan mode|read-only mode/i.test(output);
  const why = isMode
    ? 'The permission mode does not allow changes, so the file stays as it is.'
    : `You did not allow the edit, so the file stays as it is.${saidWith(output)}`;
  return [
    why,
    'What I can do instead:',
    [
      '- `show the patch`: you apply it yourself',
      isMode
        ? '- leave the mode with Shift+Tab or `/mode prompt`, then say `go ahead`'
        : '- `go ahead`: I propose the edit once more',
      '- changing what the test expects would make it green too, but it would hide the bug; I advise against it',
    ].join('\n'),
  ].join('\n\n');
}

function plan(...statuses: PlannedTodo['status'][]): PlannedCall {
  const contents = ['run the tests', 'find the cause', 'fix it and run the tests again'];
  const todos = contents.map((content, index) => ({ content, status: statuses[index] ?? 'pending' }));
  return { tool: 'todo_write', input: { todos } };
}

function runTests(description: string): PlannedCall {
  return { tool: 'bash', input: { command: testCommand, description } };
}

function read(path: string): PlannedCall {
  return { tool: 'read_file', input: { path } };
}

function isTestRun(call: DemoCall): boolean {
  return call.tool === 'bash';
}

function pathOf(call: DemoCall): string {
  const { input } = call;
  return typeof input === 'object' && input !== null && 'path' in input ? String(input.path) : '';
}
