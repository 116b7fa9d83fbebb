import { z } from 'zod';
import { memoryKinds } from '#protocol/memory.ts';

const maxEntries = 6;
const maxOpen = 12;

const schema = z.object({
  summary: z.string().trim().min(1),
  entries: z
    .array(
      z.object({
        kind: z.enum(memoryKinds).catch('project'),
        text: z.string().trim().min(1),
        tags: z.array(z.string()).catch([]),
      }),
    )
    .catch([]),
  open: z.array(z.string()).catch([]),
});
export type Consolidation = z.infer<typeof schema>;

/** What a model noted of a session. Words around the JSON are passed over; undefined when there is none to be read. */
export function readConsolidation(answer: string): Consolidation | undefined {
  const start = answer.indexOf('{');
  const end = answer.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  try {
    const { data } = schema.safeParse(JSON.parse(answer.slice(start, end + 1)));
    return data && { ...data, entries: data.entries.slice(0, maxEntries), open: data.open.slice(0, maxOpen) };
  } catch {
    return undefined;
  }
}
