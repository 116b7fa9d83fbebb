import { describe, expect, it } from 'vitest';
import {
  openPermissions,
  reducePermissions,
  shownRows,
  withOverview,
} from '#ui/dialogs/lists/permissions-dialog.ts';
import { backTab, down, enter, esc, press, tab } from './support.ts';

const own = { action: 'allow', rule: 'Bash(npm test)', place: '~/config.json:3', isOwn: true } as const;
const foreign = {
  action: 'deny',
  rule: 'Bash(rm:*)',
  place: '.claude/settings.json:1',
  isOwn: false,
} as const;
const decision = { when: '12:00:00', tool: 'bash', what: 'npm test', outcome: 'allowed', why: ['a rule'] };

const opened = withOverview(openPermissions, {
  mode: 'prompt',
  rules: [
    { id: '0', ...own },
    { id: '1', ...foreign },
  ],
  decisions: [{ id: '0', ...decision }],
});

const pressed = (...keys: Parameters<typeof press>[2]) => press(reducePermissions, opened, keys);

describe('/permissions', () => {
  it('adds a rule with what it does and where it holds', () => {
    const { effects } = pressed(enter, 'Bash(make:*)', tab, tab, backTab, enter);
    expect(effects).toEqual([
      { kind: 'close' },
      { kind: 'run-command', line: '/permissions deny Bash(make:*) --session' },
    ]);
  });

  it('takes out a rule of ours after a question, and no other', () => {
    expect(pressed(down, enter, 'y').effects).toEqual([
      { kind: 'close' },
      { kind: 'run-command', line: '/permissions remove allow Bash(npm test)' },
    ]);
    expect(pressed(down, enter, 'n').state.task).toEqual({ kind: 'list' });
    expect(pressed(down, down, enter, 'y').effects).toEqual([]);
  });

  it('shows what was decided, and filters', () => {
    expect(shownRows(pressed(tab).state)).toEqual([
      { kind: 'decision', id: '0', decision: { id: '0', ...decision } },
    ]);
    expect(shownRows(pressed('claude').state).map(({ id }) => id)).toEqual(['1']);
    expect(pressed(esc).effects).toEqual([{ kind: 'close' }]);
  });
});
