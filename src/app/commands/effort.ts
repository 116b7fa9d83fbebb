import { codeName } from '#lib/quote.ts';
import type { Effort, ModelInfo, ModelRef } from '#protocol/model-ref.ts';
import { efforts, formatModelRef } from '#protocol/model-ref-text.ts';
import { defineCommand, inform, warn } from './define-command.ts';

/** Leaves it to the model. */
const unset = 'default';

export const effortCommand = defineCommand({
  name: 'effort',
  summary: 'how hard the model thinks before it answers',
  args: '[level]',
  choices: [...efforts, unset],
  async run(argument, context) {
    const { model } = await context.state();
    if (!model) return warn('No model is chosen yet; `/model` chooses one.');
    const { effort: present = unset, ...plain } = model;
    const info = await context.modelInfo(model);
    const levels = info.efforts?.value ?? [];
    if (levels.length === 0 && argument !== unset) return warn(noLevels(plain, info));
    const known = `It takes: ${levels.join(', ')}, or ${unset} to leave it to the model.`;
    if (argument === '')
      return inform(`The effort of \`${formatModelRef(plain)}\` is \`${present}\`. ${known}`);
    if (argument === unset) return context.chooseModel(plain);
    const effort = levels.find((level) => level === argument);
    return effort
      ? context.chooseModel(withEffort(plain, effort))
      : warn(`\`${formatModelRef(plain)}\` has no effort ${codeName(argument)}. ${known}`);
  },
});

function withEffort({ provider, model }: ModelRef, effort: Effort): ModelRef {
  return { provider, model, effort };
}

function noLevels(ref: ModelRef, { reasoning }: ModelInfo): string {
  const name = `\`${formatModelRef(ref)}\``;
  return reasoning.origin === 'default'
    ? `It is not known whether ${name} reasons, so its effort cannot be set. If it does, say \`"reasoning": true\` for it in the config.`
    : `${name} does not reason before it answers, so there is no effort to set.`;
}
