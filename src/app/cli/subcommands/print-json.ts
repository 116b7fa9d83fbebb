import { jsonText } from '#lib/json-text.ts';

/** One JSON object on one line, with the version of its shape. */
export function printJson(stream: NodeJS.WriteStream, value: object): void {
  stream.write(`${jsonText({ schema_version: 1, ...value })}\n`);
}
