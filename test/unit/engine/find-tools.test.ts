import { expect, test } from 'vitest';
import { findTools } from '#engine/find-tools.ts';
import { toolSchemas } from '#engine/turn/tool-schemas.ts';
import { createTools } from '#tools/index.ts';

const schemas = toolSchemas(createTools().filter(({ isDeferred }) => isDeferred));
const found = (query: string) => findTools(schemas, query).map(({ name }) => name);

test('a search for tools brings those that fit, the best first, and none for a stray word', () => {
  const queries = {
    'look at the git log': ['git_log'],
    branches: ['git_branch'],
    'commit my changes': ['git_commit'],
    'history of commits': ['git_commit', 'git_log'],
    'edit notebook cell': ['notebook_edit'],
    'jupyter notebook': ['notebook_edit', 'notebook_read'],
    'select:git_stash,git_push': ['git_push', 'git_stash'],
    'list files in a folder': [],
    'convert a png file to pdf': [],
    'current weather in Berlin': [],
  };
  expect(Object.fromEntries(Object.keys(queries).map((query) => [query, found(query)]))).toEqual(queries);
  expect(found('git').every((name) => name.startsWith('git_'))).toBe(true);
});
