import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { PeerConversation } from '#engine/thread/peer-log.ts';
import { readRegularTextSync } from '#lib/regular-file.ts';
import { loadSqlite } from '#lib/sqlite.ts';
import { fields, jsonIn, parsedJson, textIn, timeIn } from './fields.ts';
import { TurnBuilder } from './turns.ts';

type Row = Readonly<Record<string, unknown>>;
type Said = { message: Row; parts: readonly Row[] };

const maxBytes = 50_000_000;

/** OpenCode, `~/.local/share/opencode/opencode.db`: tables `session`, `message` and `part`, opened for reading only. */
export function readOpenCodeDb(file: string): PeerConversation[] {
  const { DatabaseSync } = loadSqlite();
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const messages = db.prepare('SELECT * FROM message WHERE session_id = ?');
    const parts = db.prepare('SELECT * FROM part WHERE message_id = ?');
    // Those with a parent are of sub-agents.
    const sessions = (db.prepare('SELECT * FROM session').all() as Row[]).filter(
      ({ parent_id }) => !parent_id,
    );
    return sessions.map((row) => {
      const session = whole(row);
      const said = (messages.all(String(row['id'])) as Row[]).map((message) => ({
        message: whole(message),
        parts: (parts.all(String(message['id'])) as Row[]).map(whole),
      }));
      return conversationOf(session, said, file);
    });
  } finally {
    db.close();
  }
}

/** Its older form: one JSON file for each session, message and part below `storage/`. */
export function readOpenCodeFiles(storage: string, sessionFile: string): PeerConversation {
  const session = jsonFile(sessionFile);
  const said = filesIn(path.join(storage, 'message', textIn(session['id']))).map((file) => {
    const message = jsonFile(file);
    return { message, parts: filesIn(path.join(storage, 'part', textIn(message['id']))).map(jsonFile) };
  });
  return conversationOf(session, said, sessionFile);
}

/** A row whose `data` holds the rest of it as JSON. */
function whole(row: Row): Row {
  return { ...fields(parsedJson(textIn(row['data']))), ...row };
}

function conversationOf(session: Row, said: readonly Said[], file: string): PeerConversation {
  const turns = new TurnBuilder();
  const timeOf = (row: Row) => timeIn(fields(row['time'])['created'] ?? row['time_created'], 0);
  for (const { message, parts } of said.toSorted((a, b) => timeOf(a.message) - timeOf(b.message))) {
    const at = timeOf(message);
    const sorted = parts.toSorted((a, b) => (textIn(a['id']) < textIn(b['id']) ? -1 : 1));
    if (message['role'] === 'user') {
      const texts = sorted.filter(({ type, synthetic }) => type === 'text' && synthetic !== true);
      turns.person(texts.map(({ text }) => textIn(text)).join('\n\n'), at);
      continue;
    }
    const { providerID, modelID } = { ...fields(message['model']), ...message };
    const model = { provider: textIn(providerID) || 'opencode', model: textIn(modelID) || 'unknown' };
    for (const part of sorted) {
      if (part['type'] === 'text' || part['type'] === 'reasoning')
        turns.say(part['type'], textIn(part['text']), at, model);
      if (part['type'] !== 'tool') continue;
      const id = textIn(part['callID']) || textIn(part['id']);
      const state = fields(part['state']);
      turns.call(id, { tool: textIn(part['tool']), input: jsonIn(state['input']) }, at, model);
      const isError = state['status'] === 'error';
      if (isError || state['status'] === 'completed')
        turns.result(id, textIn(isError ? state['error'] : state['output']), isError);
    }
  }
  const title = textIn(session['title']);
  return turns.build({
    agent: 'opencode',
    id: textIn(session['id']),
    file,
    cwd: textIn(session['directory']),
    ...(title === '' ? {} : { title }),
  });
}

function jsonFile(file: string): Row {
  return fields(parsedJson(readRegularTextSync(file, { maxBytes })));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => path.join(folder, name));
  } catch {
    return []; // A message without parts has no folder of them.
  }
}
