import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { log } from '#lib/log.ts';

/** What was learned of one model on one server by using it. Fields of later versions are kept. */
const capabilitySchema = z.looseObject({
  /** How its calls reach us: by the API's own means, or written into the text. */
  toolCalling: z.enum(['native', 'text']).optional(),
  /** Milliseconds since 1970. */
  learnedAt: z.number(),
  expiresAt: z.number(),
});
export type Capability = z.infer<typeof capabilitySchema>;

const fileSchema = z.object({ version: z.literal(1), models: z.record(z.string(), z.unknown()) });

/** The same server may have the model again tomorrow, updated or started with other flags. */
const lifeMs = 7 * 24 * 3_600_000;

export type CapabilityKey = { baseUrl: string; model: string };

/** What models were found to be able to do. Never rejects: a store that cannot be read or written knows nothing. */
export interface CapabilityStore {
  read(key: CapabilityKey): Promise<Capability | undefined>;
  /** For many models at once. */
  all(): Promise<(key: CapabilityKey) => Capability | undefined>;
  /** Lays these facts over what is known of the model, for another while. */
  learn(key: CapabilityKey, facts: Omit<Capability, 'learnedAt' | 'expiresAt'>): Promise<void>;
}

/** Keeps them in the user's own folder; several processes may write, the last one wins. */
export function createCapabilityStore({ home, clock }: { home: string; clock: Clock }): CapabilityStore {
  const file = path.join(home, 'capabilities.json');
  /** For this process, also where the disk does not take it. */
  const learned = new Map<string, Capability>();
  let writing: Promise<void> = Promise.resolve();

  const known = async (name: string): Promise<Capability | undefined> => {
    const found = learned.get(name) ?? (await readModels(file)).get(name);
    return found && found.expiresAt > clock.now() ? found : undefined;
  };

  return {
    read: (key) => known(nameOf(key)),
    async all() {
      const kept = await readModels(file);
      return (key) => {
        const found = learned.get(nameOf(key)) ?? kept.get(nameOf(key));
        return found && found.expiresAt > clock.now() ? found : undefined;
      };
    },
    async learn(key, facts) {
      const name = nameOf(key);
      const now = clock.now();
      const before = await known(name);
      const capability = { ...before, ...facts, learnedAt: now, expiresAt: now + lifeMs };
      learned.set(name, capability);
      writing = writing.then(() => save(file, { name, capability, now }));
      await writing;
    },
  };
}

function nameOf({ baseUrl, model }: CapabilityKey): string {
  return `${baseUrl} ${model}`;
}

async function save(
  file: string,
  { name, capability, now }: { name: string; capability: Capability; now: number },
): Promise<void> {
  try {
    const models = await readModels(file);
    models.set(name, capability);
    const alive = [...models].filter(([, { expiresAt }]) => expiresAt > now);
    const content = { version: 1, models: Object.fromEntries(alive) };
    await writePrivateFile(file, `${JSON.stringify(content, null, 2)}\n`);
  } catch (error) {
    log('what was learned of a model could not be kept:', error);
  }
}

/** A missing or damaged file is an empty one; a damaged entry is left out. */
async function readModels(file: string): Promise<Map<string, Capability>> {
  const models = new Map<string, Capability>();
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch {
    return models; // Nothing was learned yet.
  }
  try {
    for (const [name, entry] of Object.entries(fileSchema.parse(JSON.parse(content)).models)) {
      const read = capabilitySchema.safeParse(entry);
      if (read.success) models.set(name, read.data);
    }
  } catch (error) {
    log('what was learned of models cannot be read:', error);
  }
  return models;
}
