import type { ForeignEncoding } from '#lib/foreign-encoding.ts';
import type { DecodedText } from '#lib/text-file.ts';
import type { ToolResult } from '#protocol/message.ts';
import { toolError } from '../result/tool-error.ts';

type NoText = Exclude<DecodedText, { kind: 'text' }>;

/** Why a file cannot be changed as text, and how it can be all the same. */
export function notText(shown: string, decoded: NoText): ToolResult {
  switch (decoded.kind) {
    case 'binary':
      return toolError('not_text', `${shown} is a binary file; change it with a program through bash.`);
    case 'damaged':
      return toolError(
        'not_text',
        `${shown} is UTF-8 with broken places, which would be lost; mend or change it with a program through bash.`,
      );
    case 'foreign':
      return foreignText(shown, decoded.encoding);
  }
}

/** Neither shown nor changed: what is read wrongly would be written wrongly. */
export function foreignText(shown: string, encoding: ForeignEncoding): ToolResult {
  const file = `'${shown.replaceAll("'", "'\\''")}'`;
  const looks = encoding === 'unknown' ? 'no encoding that is recognised' : `${encoding} by its looks`;
  const from = encoding === 'unknown' ? 'ENCODING' : encoding;
  const find =
    encoding === 'unknown'
      ? ' Find out which one it is from what belongs to the file, e.g. WINDOWS-1251 or KOI8-R for Russian.'
      : '';
  return toolError(
    'unsupported_encoding',
    `${shown} is not UTF-8, UTF-16 or Latin-1 but ${looks}, so it is not read or changed here.${find} ` +
      `Read it through bash: iconv -f ${from} -t UTF-8 ${file}. To change it, write that into a file of its own, ` +
      `edit this, and put it back with iconv -f UTF-8 -t ${from}; change the encoding for good only if the person wants it.`,
  );
}
