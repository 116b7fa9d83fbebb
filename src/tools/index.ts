import type { ToolDef } from '#protocol/tool.ts';
import { appendFile } from './append-file.ts';
import { askUser } from './ask-user.ts';
import { bash } from './bash.ts';
import { consultPeer } from './consult-peer.ts';
import { editFile } from './edit-file.ts';
import { globSearch } from './glob-search.ts';
import { grepSearch } from './grep-search.ts';
import { listDirectory } from './list-directory.ts';
import { readFile } from './read-file.ts';
import { recall } from './recall.ts';
import { todoWrite } from './todo-write.ts';
import { writeFile } from './write-file.ts';

/** All tools that a model may be offered, in the order in which it sees them. */
export function createTools(): readonly ToolDef[] {
  return [
    readFile,
    listDirectory,
    globSearch,
    grepSearch,
    editFile,
    writeFile,
    appendFile,
    bash,
    todoWrite,
    askUser,
    consultPeer,
    recall,
  ];
}
