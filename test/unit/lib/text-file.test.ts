import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText, withLineEnds } from '#lib/text-file.ts';

const bytes = (...values: number[]) => Buffer.from(values);

describe('decodeText', () => {
  test('UTF-8 with BOM and CRLF', () => {
    expect(decodeText(Buffer.from('\ufeffa\r\nb\r\n'))).toEqual({
      kind: 'text',
      text: 'a\r\nb\r\n',
      format: { encoding: 'utf-8', hasBom: true, eol: '\r\n' },
    });
  });

  test('UTF-16 with and without BOM, in both orders', () => {
    const little = Buffer.from('hello äß\n', 'utf16le');
    const big = Buffer.from(little).swap16();
    const format = { hasBom: false, eol: '\n' };
    expect(decodeText(little)).toEqual({
      kind: 'text',
      text: 'hello äß\n',
      format: { encoding: 'utf-16le', ...format },
    });
    expect(decodeText(big)).toEqual({
      kind: 'text',
      text: 'hello äß\n',
      format: { encoding: 'utf-16be', ...format },
    });
    expect(decodeText(Buffer.from('\ufeffx', 'utf16le'))).toMatchObject({
      text: 'x',
      format: { hasBom: true },
    });
  });

  test('Latin-1 and Windows quotes', () => {
    expect(decodeText(Buffer.from('caf\xe9 \x93x\x94\n', 'latin1'))).toMatchObject({
      text: 'café “x”\n',
      format: { encoding: 'windows-1252' },
    });
  });

  test('UTF-8 with a broken place is damaged, not another encoding', () => {
    expect(decodeText(Buffer.concat([Buffer.from('äöü ok '), bytes(0xff), Buffer.from(' end')]))).toEqual({
      kind: 'damaged',
      text: 'äöü ok \ufffd end',
    });
  });

  test('text of other scripts is foreign, named where its bytes say so, and Western text is not', () => {
    // As iconv writes it, in hex.
    const foreign = {
      SHIFT_JIS: '2f2f20834a8345839383 5e82f091 9d82e282b70a',
      'EUC-JP': '2f2f20a5aba5a6a5f3a5bfa4f2c1fda4e4a4b90a',
      'ISO-2022-JP': '1b2442467c4b5c386c1b28420a',
      GB18030: '2f2f20d5e2cac7d2bbb8f6c5e4d6c3cec4bcfe0a',
      BIG5: '2f2f20b36fac4fa440add3b35da977c0c90a',
      'EUC-KR': '2f2f20bcb3c1a420c6c4c0cfc0d4b4cfb4d90a',
      unknown: 'cff0e8e2e5f22c20ece8f02120ddf2ee20f4e0e9eb0a',
    };
    const seen = Object.entries(foreign).map(([name, hex]) => [
      name,
      decodeText(Buffer.from(hex.replaceAll(' ', ''), 'hex')),
    ]);
    expect(seen).toEqual(Object.keys(foreign).map((encoding) => [encoding, { kind: 'foreign', encoding }]));
    const western = [
      'Größe: Äpfel, Öl, straße',
      'Äpfel und Ärger',
      "« L'été » à l'école, créée",
      '20 m²/s ±5°',
    ];
    for (const text of western)
      expect(decodeText(Buffer.from(text, 'latin1'))).toMatchObject({ kind: 'text', text });
  });

  test('binary', () => {
    expect(decodeText(bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0)).kind).toBe('binary');
    expect(decodeText(bytes(1, 2, 3, 4, 5, 6, 0xff, 0xfe, 7, 1, 2)).kind).toBe('binary');
    expect(decodeText(Buffer.alloc(0))).toMatchObject({ kind: 'text', text: '' });
  });

  test('whatever is called text gives the same bytes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (array) => {
        const decoded = decodeText(Buffer.from(array));
        if (decoded.kind !== 'text') return;
        expect(encodeText(decoded.text, decoded.format)?.equals(Buffer.from(array))).toBe(true);
      }),
    );
  });
});

test('encodeText gives nothing rather than replacement characters', () => {
  expect(encodeText('€', { encoding: 'windows-1252', hasBom: false, eol: '\n' })).toEqual(
    Buffer.from([0x80]),
  );
  expect(encodeText('変', { encoding: 'windows-1252', hasBom: false, eol: '\n' })).toBeUndefined();
  expect(encodeText('\ud83d', { encoding: 'utf-8', hasBom: false, eol: '\n' })).toBeUndefined();
});

test('withLineEnds leaves a lone CR alone', () => {
  expect(withLineEnds('a\nb\r\nc\rd', '\r\n')).toBe('a\r\nb\r\nc\rd');
  expect(withLineEnds('a\nb\r\nc\rd', '\n')).toBe('a\nb\nc\rd');
});
