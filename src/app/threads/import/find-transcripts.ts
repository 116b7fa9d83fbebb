import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { PeerConversation } from '#engine/thread/peer-log.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import type { Environment } from '#lib/paths.ts';
import { readRegularTextSync } from '#lib/regular-file.ts';
import { fields, parsedJson } from './fields.ts';
import { readGemini } from './gemini.ts';
import { readClaude, readCodex } from './line-transcripts.ts';
import { readOpenCodeDb, readOpenCodeFiles } from './opencode.ts';

export const peerAgents = ['claude', 'codex', 'gemini', 'opencode'] as const;
export type PeerAgent = (typeof peerAgents)[number];

type Look = {
  env: Environment;
  userHome: string;
  /** Only conversations of this folder, as far as they say; undefined = all. */
  cwd: string | undefined;
};

/** A text of a conversation is read as a whole. */
const maxBytes = 400_000_000;

/** What an agent has said, in no order. `onProblem` gets each transcript that cannot be read. */
export function conversationsOf(
  agent: PeerAgent,
  look: Look,
  onProblem: (problem: string) => void,
): PeerConversation[] {
  const read = (file: string, reader: (file: string) => PeerConversation[]) => {
    try {
      return reader(file);
    } catch (error) {
      onProblem(`${file} is left out: ${errorText(error)}`);
      return [];
    }
  };
  const isWanted = ({ cwd }: PeerConversation) => look.cwd === undefined || cwd === '' || cwd === look.cwd;
  return placesOf(agent, look)
    .flatMap((file) => read(file, (each) => readTranscript(agent, each)))
    .filter(isWanted);
}

/** The conversations in one file, whoever wrote it. Throws `import-failed` when it is none that we know. */
export function conversationsIn(file: string): PeerConversation[] {
  const found = readAny(file).filter(({ messages }) => messages.length > 0);
  if (found.length === 0)
    throw new LlmcodeError(
      'import-failed',
      `${file} holds no conversation of ${peerAgents.join(', ')}. Give one of these names, or a transcript of theirs.`,
      { exitCode: 2 },
    );
  return found;
}

function readAny(file: string): PeerConversation[] {
  try {
    const agent = agentOf(file);
    return agent ? readTranscript(agent, file) : [];
  } catch (error) {
    if (LlmcodeError.isInstance(error)) throw error;
    throw new LlmcodeError('import-failed', `${file} cannot be read: ${errorText(error)}`, {
      cause: error,
      exitCode: 2,
    });
  }
}

function readTranscript(agent: PeerAgent, file: string): PeerConversation[] {
  switch (agent) {
    case 'claude':
      return [readClaude(linesOf(file), file)];
    case 'codex':
      return [readCodex(linesOf(file), file)];
    case 'gemini':
      return [readGemini(parsedJson(textOf(file)), file)];
    case 'opencode':
      return file.endsWith('.db')
        ? readOpenCodeDb(file)
        : [readOpenCodeFiles(path.resolve(file, '../../..'), file)];
  }
}

function textOf(file: string): string {
  return readRegularTextSync(file, { maxBytes });
}

/** A line that is damaged is left out. */
function linesOf(file: string): unknown[] {
  return textOf(file)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parsedJson);
}

function agentOf(file: string): PeerAgent | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new LlmcodeError('import-failed', `There is no file ${file}.`, { exitCode: 2 });
  if (file.endsWith('.db')) return 'opencode';
  if (file.endsWith('.jsonl')) {
    const isCodex = linesOf(file).some((line) => fields(line)['payload'] !== undefined);
    return isCodex ? 'codex' : 'claude';
  }
  if (!file.endsWith('.json')) return undefined;
  return fields(parsedJson(textOf(file)))['messages'] === undefined ? 'opencode' : 'gemini';
}

function placesOf(agent: PeerAgent, { env, userHome, cwd }: Look): string[] {
  switch (agent) {
    case 'claude': {
      const projects = path.join(env['CLAUDE_CONFIG_DIR'] || path.join(userHome, '.claude'), 'projects');
      const folders = cwd === undefined ? namesIn(projects) : [cwd.replaceAll(/[^A-Za-z0-9]/g, '-')];
      return folders.flatMap((folder) => filesIn(path.join(projects, folder), /\.jsonl$/, 0));
    }
    case 'codex':
      return filesIn(
        path.join(env['CODEX_HOME'] || path.join(userHome, '.codex'), 'sessions'),
        /^rollout-.*\.jsonl$/,
        3,
      );
    case 'gemini': {
      const temp = path.join(userHome, '.gemini', 'tmp');
      const own = cwd === undefined ? undefined : createHash('sha256').update(cwd).digest('hex');
      const folders = namesIn(temp).filter(
        (name) => own === undefined || name === own || name === path.basename(cwd ?? ''),
      );
      return folders.flatMap((folder) => filesIn(path.join(temp, folder, 'chats'), /\.json$/, 0));
    }
    case 'opencode': {
      const data = path.join(env['XDG_DATA_HOME'] || path.join(userHome, '.local', 'share'), 'opencode');
      const db = path.join(data, 'opencode.db');
      return existsSync(db) ? [db] : filesIn(path.join(data, 'storage', 'session'), /\.json$/, 1);
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // The agent was never used here.
  }
}

function filesIn(folder: string, name: RegExp, depth: number): string[] {
  return namesIn(folder).flatMap((each) => {
    const file = path.join(folder, each);
    if (name.test(each)) return [file];
    return depth > 0 ? filesIn(file, name, depth - 1) : [];
  });
}
