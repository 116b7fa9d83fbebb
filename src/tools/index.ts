import type { LanguageService } from '#protocol/languages.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { appendFile } from './append-file.ts';
import { applyPatch } from './apply-patch.ts';
import { askUser } from './ask-user.ts';
import { bash } from './bash.ts';
import { bashKill } from './bash-kill.ts';
import { bashOutput } from './bash-output.ts';
import { consultPeer } from './consult-peer.ts';
import { editFile } from './edit-file.ts';
import { gitBranch } from './git-branch.ts';
import { gitCommit } from './git-commit.ts';
import { gitDiff } from './git-diff.ts';
import { gitLog } from './git-log.ts';
import { gitPush } from './git-push.ts';
import { gitStash } from './git-stash.ts';
import { gitStatus } from './git-status.ts';
import { globSearch } from './glob-search.ts';
import { grepSearch } from './grep-search.ts';
import { listDirectory } from './list-directory.ts';
import { lspDefinition } from './lsp-definition.ts';
import { lspDiagnostics } from './lsp-diagnostics.ts';
import { lspReferences } from './lsp-references.ts';
import { lspSymbols } from './lsp-symbols.ts';
import { memoryForget } from './memory-forget.ts';
import { memoryList } from './memory-list.ts';
import { memoryRecall } from './memory-recall.ts';
import { memoryStore } from './memory-store.ts';
import { multiEdit } from './multi-edit.ts';
import { notebookEdit } from './notebook-edit.ts';
import { notebookRead } from './notebook-read.ts';
import { readFile } from './read-file.ts';
import { recall } from './recall.ts';
import { type ToolSettings, toolSettings } from './settings.ts';
import { todoWrite } from './todo-write.ts';
import { toolSearch } from './tool-search.ts';
import { searchBackends } from './web/search-backends.ts';
import { webFetch } from './web-fetch.ts';
import { webSearch } from './web-search.ts';
import { workingNotes } from './working-notes.ts';
import { writeFile } from './write-file.ts';

export type ToolsConfig = {
  settings: ToolSettings;
  /** Where keys of search services stand. */
  env: Readonly<Record<string, string | undefined>>;
  /** Without it there are no tools that ask language servers. */
  languages?: LanguageService | undefined;
  /** Without it there are no tools that remember. */
  hasMemory?: boolean;
};

/** All tools that a model may be offered. */
export function createTools(
  { settings, env, languages, hasMemory = false }: ToolsConfig = {
    settings: toolSettings.parse({}),
    env: {},
  },
): readonly ToolDef[] {
  const backends = searchBackends(settings.web_search, env);
  return [
    readFile,
    listDirectory,
    globSearch,
    grepSearch,
    editFile,
    multiEdit,
    applyPatch,
    writeFile,
    appendFile,
    bash,
    bashOutput,
    bashKill,
    todoWrite,
    workingNotes,
    askUser,
    consultPeer,
    recall,
    ...(hasMemory ? [memoryStore, memoryRecall, memoryList, memoryForget] : []),
    webFetch({ privateHosts: settings.web_fetch.private_hosts }),
    ...(backends.length > 0 ? [webSearch(backends)] : []),
    gitStatus,
    gitDiff,
    gitLog,
    gitCommit,
    gitPush,
    gitStash,
    gitBranch,
    notebookRead,
    notebookEdit,
    ...(languages?.isUseful() ? languageTools.map((make) => make(languages)) : []),
    toolSearch,
  ];
}

const languageTools = [lspDefinition, lspReferences, lspDiagnostics, lspSymbols];
