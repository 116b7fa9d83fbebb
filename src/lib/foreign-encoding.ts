/** An encoding by the name that `iconv` knows; `unknown` when the bytes only say which ones it is not. */
export type ForeignEncoding =
  | 'SHIFT_JIS'
  | 'EUC-JP'
  | 'ISO-2022-JP'
  | 'GB18030'
  | 'BIG5'
  | 'EUC-KR'
  | 'unknown';

const sampleBytes = 262_144;

/** Two bytes for one character. `common`: the rows that nearly all of a real text comes from. */
type PairEncoding = {
  name: ForeignEncoding;
  isLead(byte: number): boolean;
  isTrail(byte: number): boolean;
  isCommon(lead: number, trail: number): boolean;
  /** Rows that no text of the language is without; Western text does not have them. */
  isTelling(lead: number, trail: number): boolean;
  isSingle?(byte: number): boolean;
};

const between = (from: number, to: number) => (byte: number) => byte >= from && byte <= to;
const isHigh = between(0xa1, 0xfe);

const pairEncodings: readonly PairEncoding[] = [
  {
    name: 'EUC-JP',
    isLead: isHigh,
    isTrail: isHigh,
    isCommon: (lead) => lead === 0xa1 || lead === 0xa4 || lead === 0xa5 || between(0xb0, 0xcf)(lead),
    isTelling: (lead) => lead === 0xa4 || lead === 0xa5,
  },
  {
    name: 'SHIFT_JIS',
    isLead: (byte) => between(0x81, 0x9f)(byte) || between(0xe0, 0xfc)(byte),
    isTrail: (byte) => byte !== 0x7f && between(0x40, 0xfc)(byte),
    isCommon: (lead) => between(0x81, 0x83)(lead) || between(0x88, 0x97)(lead),
    isTelling: between(0x81, 0x83),
    isSingle: between(0xa1, 0xdf),
  },
  {
    name: 'EUC-KR',
    isLead: isHigh,
    isTrail: isHigh,
    isCommon: (lead) => lead === 0xa1 || between(0xb0, 0xc8)(lead),
    isTelling: between(0xb0, 0xc8),
  },
  {
    name: 'GB18030',
    isLead: between(0x81, 0xfe),
    isTrail: (byte) => byte !== 0x7f && between(0x40, 0xfe)(byte),
    isCommon: (lead, trail) => isHigh(trail) && (lead === 0xa1 || lead === 0xa3 || between(0xb0, 0xd7)(lead)),
    isTelling: (lead, trail) => isHigh(trail) && between(0xb0, 0xd7)(lead),
  },
  {
    name: 'BIG5',
    isLead: between(0x81, 0xfe),
    isTrail: (byte) => between(0x40, 0x7e)(byte) || isHigh(byte),
    isCommon: between(0xa1, 0xc6),
    isTelling: between(0xa4, 0xbf),
  },
];

/**
 * What bytes that are no UTF-8 are, when they are not Western European text (Latin-1, windows-1252) either;
 * undefined for that. Western letters above ASCII stand alone between others, those of other scripts in rows.
 */
export function foreignEncoding(bytes: Buffer): ForeignEncoding | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  if (sample.every((byte) => byte < 0x80)) return undefined;
  const named = pairEncodings.find((encoding) => fits(sample, encoding));
  if (named) return named.name;
  return isWestern(sample) ? undefined : 'unknown';
}

/** Japanese mail and old files: ASCII that switches its meaning; it is valid UTF-8 all the same. */
export function isIso2022(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  return ['\x1b$B', '\x1b$@'].some((sign) => sample.includes(sign, 0, 'latin1'));
}

function fits(bytes: Buffer, encoding: PairEncoding): boolean {
  let pairs = 0;
  let common = 0;
  let telling = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    if (encoding.isSingle?.(byte)) continue;
    if (!encoding.isLead(byte)) return false;
    at += 1;
    // The sample may end inside of a character.
    if (at === bytes.length) break;
    const trail = bytes[at] ?? 0;
    if (!encoding.isTrail(trail)) return false;
    pairs += 1;
    if (encoding.isCommon(byte, trail)) common += 1;
    if (encoding.isTelling(byte, trail)) telling += 1;
  }
  return pairs >= 2 && common >= pairs * 0.85 && telling >= pairs * 0.2;
}

function isWestern(bytes: Buffer): boolean {
  let high = 0;
  let inRuns = 0;
  let runs = 0;
  let odd = 0;
  let run = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80) {
      high += 1;
      run += 1;
      if (isSign(byte) && isLetter(bytes[at - 1] ?? 0) && isLetter(bytes[at + 1] ?? 0)) odd += 1;
      continue;
    }
    if (run >= 3) {
      inRuns += run;
      runs += 1;
    }
    run = 0;
  }
  const hasRows = inRuns > high * 0.6 && runs >= 2;
  return !hasRows && (odd < 2 || odd < high * 0.05);
}

/** Signs that do not stand inside of a word, as `³`, `¹` or `¿`; not those that do: soft hyphen, `·`, `´`, `ª`, `º`. */
function isSign(byte: number): boolean {
  return between(0xa1, 0xbf)(byte) && ![0xaa, 0xad, 0xb4, 0xb7, 0xba].includes(byte);
}

function isLetter(byte: number): boolean {
  return between(0x41, 0x5a)(byte) || between(0x61, 0x7a)(byte) || byte >= 0xc0;
}
