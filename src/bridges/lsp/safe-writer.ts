import { type Message, StreamMessageWriter } from 'vscode-jsonrpc/node.js';

/**
 * A server that ended takes no more messages. The library throws that error where nobody can catch it, so it goes to
 * the writer's listeners alone; who waits for an answer hears that the server ended.
 */
export class SafeWriter extends StreamMessageWriter {
  override async write(message: Message): Promise<void> {
    try {
      await super.write(message);
    } catch (error) {
      this.fireError(error, message, undefined);
    }
  }
}
