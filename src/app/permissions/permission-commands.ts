import type { PermissionMode } from '#protocol/permission.ts';
import type { PermissionOverview } from '#protocol/permission-overview.ts';
import { addRule, type RuleScope, removeRule } from './change-rules.ts';
import { permissionOverview, placeText } from './overview.ts';
import { explainText, overviewText, replayText } from './permissions-text.ts';
import { type Desk, type RuleSetChange, replay } from './rule-desk.ts';

type OpenDesk = Desk & { reload(): Promise<unknown> };

/** What `/permissions` does in a session; texts are Markdown. */
export type PermissionCommands = {
  overview(): Promise<PermissionOverview>;
  text(): Promise<string>;
  explain(count: number): Promise<string>;
  replay(change: RuleSetChange): Promise<string>;
  add(rule: { action: 'allow' | 'ask' | 'deny'; rule: string; scope: RuleScope }): Promise<string>;
  remove(rule: string, action: 'allow' | 'ask' | 'deny' | undefined): Promise<string>;
};

const replayedCalls = 5_000;

export function createPermissionCommands({
  desk,
  mode,
}: {
  desk(): Promise<OpenDesk>;
  mode(): Promise<PermissionMode>;
}): PermissionCommands {
  const overview = async () => permissionOverview(await desk(), await mode());
  return {
    overview,
    text: async () => overviewText(await overview()),
    explain: async (count) => explainText((await overview()).decisions.slice(0, count)),
    async replay(change) {
      const opened = await desk();
      return replayText(replay(opened, change, replayedCalls), opened.cwd);
    },
    async add(wanted) {
      const opened = await desk();
      const { action, rule, file, warning } = await addRule(opened, wanted);
      await inForce(opened);
      const note = warning === undefined ? '' : ` Mind that ${warning}.`;
      return `In force now: ${action} \`${rule}\`, in ${placeText({ file }, opened.cwd)}.${note}`;
    },
    async remove(rule, action) {
      const opened = await desk();
      const changes = await removeRule(opened, { rule, action });
      await inForce(opened);
      return changes
        .map(
          (change) =>
            `Taken out: ${change.action} \`${change.rule}\`, from ${placeText(change, opened.cwd)}.`,
        )
        .join('\n');
    },
  };
}

async function inForce(desk: OpenDesk): Promise<void> {
  await desk.reload();
  // The file of what was allowed always is no setting, so reading the settings again does not see it.
  desk.rules.sessionRules.changed();
}
