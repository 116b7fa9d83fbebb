import { defineCommand } from './define-command.ts';

const task = `Write AGENTS.md at the root of this repository: what a coding agent that comes here for the first time has to know, and cannot see at a glance. If there is one, read it and improve it instead; keep what people wrote in it.

Look first: README, package manifests, build and CI files, the folders, a few typical source and test files, other agents' instruction files (CLAUDE.md, .cursor/rules, .github/copilot-instructions.md). Then write, in at most 60 lines:

- what the project is, in two sentences;
- the commands that build, check and test it, and how to run a single test, each verified in the files;
- how the source is laid out and which way data flows, where that is not plain from names;
- conventions that the code follows and a linter does not check, with one example file each;
- traps: what must not be touched, generated files, slow or flaky parts.

Leave out what any good engineer does anyway, and everything that you did not see.`;

export const initCommand = defineCommand({
  name: 'init',
  summary: 'has the model write AGENTS.md from what it finds in the repository',
  args: '[what matters]',
  run: (wish) => ({
    kind: 'action',
    action: {
      kind: 'prompt',
      text: wish === '' ? task : `${task}\n\nThe person adds: ${wish}`,
      images: [],
      delivery: 'steer',
    },
  }),
});
