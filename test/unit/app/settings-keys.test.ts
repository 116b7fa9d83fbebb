import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { knownKeys, schemaPaths, unknownPaths } from '#app/settings/schema-keys.ts';

const schema = z.object({
  model: z.string().optional(),
  providers: z.record(z.string(), z.strictObject({ base_url: z.string().optional() })).default({}),
  servers: z.union([z.boolean(), z.strictObject({ ollama: z.number() })]).default(true),
  permissions: z.object({ mode: z.enum(['plan', 'prompt']).default('prompt'), deny: z.array(z.string()) }),
  anything: z.looseObject({ known: z.string() }).optional(),
});

describe('the keys of a schema', () => {
  it('are found below objects, records, unions and defaults', () => {
    expect(knownKeys(schema, [])).toEqual(['model', 'providers', 'servers', 'permissions', 'anything']);
    expect(knownKeys(schema, ['providers', 'mine'])).toEqual(['base_url']);
    expect(knownKeys(schema, ['servers'])).toEqual(['ollama']);
  });

  it('tell what a value holds too much, at any depth', () => {
    const value = {
      modle: 'x',
      providers: { mine: { baseurl: 'x' } },
      servers: { lmstudio: 1 },
      permissions: { mode: 'plan', alow: [] },
      anything: { other: 1 },
    };
    expect(unknownPaths(schema, value)).toEqual([
      ['modle'],
      ['providers', 'mine', 'baseurl'],
      ['servers', 'lmstudio'],
      ['permissions', 'alow'],
    ]);
  });

  it('list every path that can be set', () => {
    expect(schemaPaths(schema)).toEqual([
      'model',
      'providers.*.base_url',
      'servers.ollama',
      'permissions.mode',
      'permissions.deny',
      'anything.known',
    ]);
  });
});
