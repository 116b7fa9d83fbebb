import path from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '#lib/atomic-file.ts';
import { errnoOf } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { readRegularTextSync } from '#lib/regular-file.ts';
import type { Connection } from '../connections.ts';
import type { ServerModel } from '../provider-def.ts';

/** Nonsense in a list counts as not said. */
const count = z.number().int().positive().optional().catch(undefined);
const dollars = z.number().min(0);

const factsSchema = z.object({
  name: z.string().optional(),
  contextWindow: count,
  outputLimit: count,
  images: z.boolean().optional(),
  tools: z.boolean().optional(),
  reasoning: z.boolean().optional(),
  price: z
    .object({
      input: dollars,
      output: dollars,
      cacheRead: dollars.exactOptional(),
      cacheWrite: dollars.exactOptional(),
    })
    .optional()
    .catch(undefined),
});

const listSchema = z.object({
  /** Where it came from; it says nothing about another address. */
  baseUrl: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  models: z.record(z.string(), factsSchema),
});
/** What a provider's own list said of its models when the person last asked for it. */
export type FetchedList = z.infer<typeof listSchema>;

const fileSchema = z.object({ version: z.literal(1), providers: z.record(z.string(), z.unknown()) });

/** All providers together have some thousand models. */
const maxBytes = 67_108_864;

/** The lists that are kept, by provider. A damaged file or entry counts as none. */
function readFetchedLists(home: string): ReadonlyMap<string, FetchedList> {
  const lists = new Map<string, FetchedList>();
  try {
    const { providers } = fileSchema.parse(JSON.parse(readRegularTextSync(listsFile(home), { maxBytes })));
    for (const [id, value] of Object.entries(providers)) {
      const list = listSchema.safeParse(value);
      if (list.success) lists.set(id, list.data);
    }
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') log('the fetched model lists cannot be read:', error);
  }
  return lists;
}

/** A list counts only for the address that it came from. */
export function withFetchedLists(connections: Map<string, Connection>, home: string): void {
  for (const [id, list] of readFetchedLists(home)) {
    const connection = connections.get(id);
    if (connection?.baseUrl === list.baseUrl) connections.set(id, { ...connection, fetched: list });
  }
}

/** Keeps a list in place of the one before. Rejects when the folder cannot be written. */
export async function keepFetchedList(home: string, id: string, list: FetchedList): Promise<void> {
  const providers = Object.fromEntries([...readFetchedLists(home), [id, list]]);
  await writePrivateFile(listsFile(home), `${JSON.stringify({ version: 1, providers }, null, 1)}\n`);
}

/** Vendors list all that they run; what makes pictures, speech or vectors cannot hold a conversation. */
const noTalk =
  /(^|[/_.-])(embed|rerank|tts|speech|whisper|transcribe|dall-e|image|audio|realtime|moderation|video|veo|imagen|lyria|sora|babbage|davinci|aqa|robotics)/i;

export function fetchedList(baseUrl: string, at: number, models: readonly ServerModel[]): FetchedList {
  const talking = models.filter(({ id }) => !noTalk.test(id));
  const entries = talking.map(({ id, name, facts }) => {
    const { contextWindow, outputLimit, images, tools, reasoning, price } = facts;
    return [id, { name, contextWindow, outputLimit, images, tools, reasoning, price }];
  });
  return listSchema.parse({ baseUrl, at, models: Object.fromEntries(entries) });
}

function listsFile(home: string): string {
  return path.join(home, 'model-lists.json');
}
