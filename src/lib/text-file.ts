import { isUtf8 } from 'node:buffer';
import { type ForeignEncoding, foreignEncoding, isIso2022 } from './foreign-encoding.ts';

type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** How a text lies in its file, so that it can be written back the same way. */
type TextFormat = { encoding: TextEncoding; hasBom: boolean; eol: '\n' | '\r\n' };

export type DecodedText =
  | { kind: 'text'; text: string; format: TextFormat }
  /** UTF-8 with broken places. `text` shows them as U+FFFD and must never be written back. */
  | { kind: 'damaged'; text: string }
  /** Text in an encoding that is not read here. */
  | { kind: 'foreign'; encoding: ForeignEncoding }
  | { kind: 'binary' };

export const newFileFormat: TextFormat = { encoding: 'utf-8', hasBom: false, eol: '\n' };

const sampleBytes = 8_192;
const bom = '\ufeff';

/**
 * Text of a file without its BOM. Line ends are left as they are. Every `text` result gives the same bytes back
 * through `encodeText`.
 */
export function decodeText(bytes: Buffer): DecodedText {
  const utf16 = utf16Order(bytes);
  if (utf16 !== undefined) return decodeUtf16(bytes, utf16);
  const sample = bytes.subarray(0, sampleBytes);
  if (sample.includes(0)) return { kind: 'binary' };
  if (isIso2022(bytes)) return { kind: 'foreign', encoding: 'ISO-2022-JP' };
  if (isUtf8(bytes)) return textIn('utf-8', bytes.toString('utf8'));
  const damaged = bytes.toString('utf8');
  if (looksLikeUtf8(damaged)) return { kind: 'damaged', text: withoutBom(damaged) };
  if (looksLikeControlCodes(sample)) return { kind: 'binary' };
  const encoding = foreignEncoding(bytes);
  if (encoding !== undefined) return { kind: 'foreign', encoding };
  return textIn('windows-1252', decodeWindows1252(bytes));
}

/** undefined when the encoding has no such characters; `text` uses the line ends it should have. */
export function encodeText(text: string, format: TextFormat): Buffer | undefined {
  const whole = format.hasBom ? bom + text : text;
  switch (format.encoding) {
    case 'utf-8':
      return whole.isWellFormed() ? Buffer.from(whole, 'utf8') : undefined;
    case 'utf-16le':
      return Buffer.from(whole, 'utf16le');
    case 'utf-16be':
      return Buffer.from(whole, 'utf16le').swap16();
    case 'windows-1252':
      return encodeWindows1252(whole);
  }
}

/** LF and CRLF become what `eol` says. A lone CR is an ordinary character. */
export function withLineEnds(text: string, eol: TextFormat['eol']): string {
  const plain = text.replaceAll('\r\n', '\n');
  return eol === '\n' ? plain : plain.replaceAll('\n', '\r\n');
}

function textIn(encoding: TextEncoding, raw: string): DecodedText {
  const hasBom = encoding !== 'windows-1252' && raw.startsWith(bom);
  const text = hasBom ? raw.slice(1) : raw;
  return { kind: 'text', text, format: { encoding, hasBom, eol: mainLineEnd(text) } };
}

function withoutBom(text: string): string {
  return text.startsWith(bom) ? text.slice(1) : text;
}

function mainLineEnd(text: string): TextFormat['eol'] {
  let crlf = 0;
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) crlf += 1;
  if (crlf === 0) return '\n';
  let all = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) all += 1;
  return crlf * 2 > all ? '\r\n' : '\n';
}

function decodeUtf16(bytes: Buffer, order: 'utf-16le' | 'utf-16be'): DecodedText {
  if (bytes.length % 2 !== 0) return { kind: 'binary' };
  const little = order === 'utf-16le' ? bytes : Buffer.from(bytes).swap16();
  const text = little.toString('utf16le');
  return text.slice(0, sampleBytes).includes('\0') ? { kind: 'binary' } : textIn(order, text);
}

/** By its BOM, else by zeros that stand on one side only, as Latin letters have them. */
function utf16Order(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, sampleBytes);
  if (!sample.includes(0)) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < sample.length; at += 1) {
    if (sample[at] !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const many = sample.length * 0.2;
  if (odd > many && even === 0) return 'utf-16le';
  return even > many && odd === 0 ? 'utf-16be' : undefined;
}

/** Broken UTF-8 still has more good characters above ASCII than bad ones; another encoding hardly any. */
function looksLikeUtf8(decoded: string): boolean {
  const sample = decoded.slice(0, 1_000_000);
  const bad = sample.match(/\ufffd/g)?.length ?? 0;
  const above = sample.match(/[^\0-\x7f]/gu)?.length ?? 0;
  return above - bad > bad;
}

function looksLikeControlCodes(sample: Buffer): boolean {
  let odd = 0;
  for (const byte of sample) if (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) odd += 1;
  return odd > sample.length * 0.05;
}

/** Each byte is one character and back: the WHATWG table gives the five holes to C1 controls. */
const windows1252 = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
);
const windows1252Bytes = new Map([...windows1252].map((character, byte) => [character, byte]));

function decodeWindows1252(bytes: Buffer): string {
  return new TextDecoder('windows-1252').decode(bytes);
}

function encodeWindows1252(text: string): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const byte = windows1252Bytes.get(text.charAt(at));
    if (byte === undefined) return undefined;
    bytes[at] = byte;
  }
  return bytes;
}
