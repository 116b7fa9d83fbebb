import assert from 'node:assert/strict';
import test from 'node:test';
import { formatCents } from '../src/money.js';

test('shows cents with two digits', () => {
  assert.equal(formatCents(1234), '12.34');
  assert.equal(formatCents(5), '0.05');
});
