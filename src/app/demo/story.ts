import type { DemoStep } from './demo-step.ts';
import type { DemoCall, Evidence } from './evidence.ts';
import { explainStep } from './explain-story.ts';
import { fixStep, isEdit, patch, wasRefused } from './fix-story.ts';

/** The next step for a conversation. Pure: the same conversation always goes on in the same way. */
export function nextStep(evidence: Evidence): DemoStep {
  const aside = evidence.asides.join(' ').trim();
  if (aside !== '' && wantsStop(aside)) return { say: 'I stop here, as you asked.', calls: [] };
  const step = stepFor(evidence);
  if (aside === '') return step;
  const noted = `You said: "${quoted(aside)}". I am a script and cannot work that in, so I go on with my plan.`;
  return { ...step, say: step.say ? `${noted}\n\n${step.say}` : noted };
}

function stepFor(evidence: Evidence): DemoStep {
  const { ask, calls } = evidence;
  const words = ask.toLowerCase();
  const editBefore = calls.findLast((call) => isEdit(call) && !call.isOfThisTurn);
  const wasRefusedBefore = editBefore !== undefined && wasRefused(editBefore);
  if (wantsStop(words)) return { say: 'All right, I leave it as it is.', calls: [] };
  if (/\b(show|diff|patch)\b/.test(words)) return { say: showPatch(), calls: [] };
  if (wasRefusedBefore && /\b(yes|yep|ok|okay|again|go ahead|go on|do it|apply|please|sure)\b/.test(words))
    return fixStep(evidence, { isSecondTry: true });
  if (/\b(who|what) (are|is) (you|this)\b|\bare you\b|\b(model|script|demo|real|ai)\b/.test(words))
    return introduce(calls);
  if (
    /\b(fix|repair|solve|debug|fail\w*|bugs?|broken|wrong|tests?|green|coupons?|gift|totals?)\b/.test(words)
  )
    return fixStep(evidence, { isSecondTry: false });
  if (
    /\b(explain|describe|overview|structure|summari[sz]e|read(me)?|project|code|repo\w*|files?)\b/.test(words)
  )
    return explainStep(evidence);
  return introduce(calls);
}

function wantsStop(words: string): boolean {
  return /\b(stop|cancel|never ?mind|leave it|don'?t)\b/i.test(words);
}

function introduce(calls: readonly DemoCall[]): DemoStep {
  const isFixed = calls.some((call) => isEdit(call) && call.status === 'ok');
  const suggestions = [
    isFixed
      ? undefined
      : '- `fix the failing test`: I plan, run the tests, find the bug and ask you before I change a file',
    '- `explain this project`: I read it and say what it does',
    '- `show the patch`: the change that I would make',
    '- `/model`: go on with a real model, with this conversation',
  ];
  const say = [
    'I am the offline demo: a script, no language model. I run real tools on a scratch copy of a small sample project, but I only know a few requests:',
    suggestions.filter((line) => line !== undefined).join('\n'),
  ];
  return { say: say.join('\n\n'), calls: [] };
}

function showPatch(): string {
  const lines = (text: string, mark: string) => text.split('\n').map((line) => `${mark}${line}`);
  const diff = [
    '--- src/cart.js',
    '+++ src/cart.js',
    ...lines(patch.before, '-'),
    ...lines(patch.after, '+'),
  ];
  return `This is the change for \`src/cart.js\`. The coupon takes its share first, then the gift card pays:\n\n\`\`\`diff\n${diff.join('\n')}\n\`\`\`\n\nSay \`go ahead\` and I propose it as an edit.`;
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}
