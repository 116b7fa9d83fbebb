import { z } from 'zod';
import { formatCount } from '#lib/amounts.ts';
import { defineTool } from '#protocol/tool.ts';
import { looseInput } from './result/loose-input.ts';
import { toolError } from './result/tool-error.ts';
import { oneLine } from './result/words.ts';
import prose from './working-notes.md';

/** Notes go through every summary as they are, so they may only take a little of the window. */
const maxChars = 4_000;

type Input = { notes: string };

export const workingNotes = defineTool<Input>({
  name: 'working_notes',
  inputAliases: { text: 'notes', content: 'notes' },
  prose,
  input: looseInput({ notes: z.string() }),
  // A short conversation is remembered as it is.
  needsShortenedHistory: true,
  effect: 'none',
  touches: () => [],
  title: ({ notes }) => oneLine(notes),
  async run(input, ctx) {
    const notes = input.notes.trim();
    if (notes.length > maxChars)
      return toolError(
        'too-long',
        `The notes have ${formatCount(notes.length)} characters and may have ${formatCount(maxChars)}. Nothing was changed; send a shorter text.`,
      );
    ctx.services.setNotes(notes);
    const summary = notes === '' ? 'empty' : `${formatCount(notes.length)} characters`;
    return { status: 'ok', forModel: [{ kind: 'text', text: `The notes are kept: ${summary}.` }], summary };
  },
});
