import { expect, test } from 'vitest';
import { noFileResult } from '#engine/turn/refusal.ts';

test('a call that names no file is an error with advice, one that is forbidden as well is not', () => {
  const folder = { check: 'path-is-folder', text: 'src: is a folder, not a file' };
  const pipe = { check: 'special-file', text: 'pipe: is a device, a pipe or a socket' };
  expect(noFileResult([folder, pipe])).toMatchObject({
    status: 'error',
    code: 'not_a_file',
    forModel: [{ text: expect.stringMatching(/^Not possible: src: is a folder.*; pipe: .*list_directory/) }],
  });
  expect(noFileResult([folder, { check: 'rule-deny', text: 'a rule denies it' }])).toBeUndefined();
});
