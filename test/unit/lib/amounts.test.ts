import { expect, test } from 'vitest';
import { formatCount, formatUsd, formatWindow, shortCount } from '#lib/amounts.ts';

test('a count has its thousands apart', () => {
  expect([0, 999, 12_345, 1_234_567.4].map(formatCount)).toEqual(['0', '999', '12,345', '1,234,567']);
});

test('a short count never needs more than five characters', () => {
  const counts = [0, 999, 1_000, 18_234, 99_949, 99_950, 999_499, 999_500, 1_234_567, 123_456_789];
  expect(counts.map(shortCount)).toEqual([
    '0',
    '999',
    '1.0k',
    '18.2k',
    '99.9k',
    '100k',
    '999k',
    '1.0M',
    '1.2M',
    '123M',
  ]);
});

test('a context window reads as people say it', () => {
  const windows = [512, 4_096, 32_768, 32_000, 128_000, 131_072, 200_000, 1_000_000, 1_048_576];
  expect(windows.map(formatWindow)).toEqual(['512', '4k', '32k', '32k', '128k', '128k', '200k', '1M', '1M']);
});

test('a small sum keeps two digits that count', () => {
  const amounts = [0, 0.000_01, 0.000_123, 0.0042, 0.05, 0.0999, 0.21, 3, 12.5, 1_234.5];
  expect(amounts.map(formatUsd)).toEqual([
    '$0',
    '<$0.0001',
    '$0.00012',
    '$0.0042',
    '$0.05',
    '$0.10',
    '$0.21',
    '$3',
    '$12.50',
    '$1,235',
  ]);
});
