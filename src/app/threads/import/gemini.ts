import type { PeerConversation } from '#engine/thread/peer-log.ts';
import { fields, items, jsonIn, textIn, textsIn, timeIn } from './fields.ts';
import { TurnBuilder } from './turns.ts';

/**
 * Gemini CLI, `~/.gemini/tmp/<project>/chats/session-….json`: one object with `messages`. It names the project only
 * by a hash, so that the folder is not known.
 */
export function readGemini(session: unknown, file: string): PeerConversation {
  const { sessionId, messages, startTime } = fields(session);
  const turns = new TurnBuilder();
  let at = timeIn(startTime, 0);
  for (const message of items(messages).map(fields)) {
    at = timeIn(message['timestamp'], at);
    if (message['type'] === 'user') turns.person(textsIn(message['content']), at);
    if (message['type'] !== 'gemini') continue;
    const model = { provider: 'google', model: textIn(message['model']) || 'unknown' };
    for (const thought of items(message['thoughts']).map(fields)) {
      const text = [textIn(thought['subject']), textIn(thought['description'])].filter((each) => each !== '');
      turns.say('reasoning', text.join('\n'), at, model);
    }
    turns.say('text', textsIn(message['content']), at, model);
    for (const call of items(message['toolCalls']).map(fields)) {
      const id = textIn(call['id']);
      const name = textIn(call['name']);
      const tool = name === 'run_shell_command' ? 'bash' : name;
      turns.call(id, { tool, input: jsonIn(call['args']) }, at, model);
      turns.result(id, resultText(call), call['status'] !== 'success');
    }
  }
  return turns.build({ agent: 'gemini', id: textIn(sessionId) || file, file, cwd: '' });
}

function resultText({ result, resultDisplay }: Readonly<Record<string, unknown>>): string {
  const said = items(result).map((part) => {
    const { response } = fields(fields(part)['functionResponse']);
    const { output, error } = fields(response);
    return textIn(output) || textIn(error) || textsIn(part);
  });
  return said.filter((text) => text !== '').join('\n') || textIn(resultDisplay);
}
