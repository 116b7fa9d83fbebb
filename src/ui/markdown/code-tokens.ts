import type { ThemeToken } from '../theme/tokens.ts';

/**
 * How grammar scopes become theme tokens. The grammar's own theme carries numbers instead of colours, so code is
 * highlighted once and painted in any theme.
 */
const scopes: readonly (readonly [ThemeToken, readonly string[]])[] = [
  ['codeText', []],
  ['codePunctuation', ['punctuation', 'meta.brace', 'keyword.operator', 'storage.type.function.arrow']],
  [
    'codeKeyword',
    [
      'keyword',
      'storage',
      'keyword.operator.new',
      'keyword.operator.expression',
      'keyword.operator.logical.python',
      'keyword.operator.wordlike',
      'variable.language.this',
      'variable.language.self',
      'variable.language.super',
    ],
  ],
  [
    'codeString',
    [
      'string',
      'punctuation.definition.string',
      'constant.character.escape',
      'markup.inline.raw',
      'string.regexp',
    ],
  ],
  ['codeNumber', ['constant.numeric', 'keyword.other.unit']],
  ['codeConstant', ['constant.language', 'constant.other', 'support.constant', 'variable.other.enummember']],
  ['codeComment', ['comment', 'punctuation.definition.comment']],
  [
    'codeFunction',
    ['entity.name.function', 'support.function', 'meta.function-call.generic', 'entity.name.command'],
  ],
  [
    'codeType',
    [
      'entity.name.type',
      'entity.name.class',
      'support.type',
      'support.class',
      'entity.other.inherited-class',
    ],
  ],
  [
    'codeTag',
    ['entity.name.tag', 'entity.name.section', 'markup.heading', 'support.type.property-name.json'],
  ],
  [
    'codeAttribute',
    ['entity.other.attribute-name', 'support.type.property-name.css', 'entity.name.tag.yaml'],
  ],
  ['diffAdded', ['markup.inserted']],
  ['diffRemoved', ['markup.deleted']],
];

/** A grammar theme whose colours are indexes into `tokenOfColor`. */
export const scopeTheme = {
  name: 'scopes',
  type: 'dark' as const,
  fg: colorOf(0),
  bg: '#ffffff',
  settings: [
    { settings: { foreground: colorOf(0), background: '#ffffff' } },
    ...scopes.map(([, scope], index) => ({ scope: [...scope], settings: { foreground: colorOf(index) } })),
  ],
};

export function tokenOfColor(color: string | undefined): ThemeToken {
  const index = Number.parseInt((color ?? '').slice(1), 16);
  return scopes[index]?.[0] ?? 'codeText';
}

function colorOf(index: number): string {
  return `#${index.toString(16).padStart(6, '0')}`;
}
