import assert from 'node:assert/strict';
import test from 'node:test';
import { subtotal, total } from '../src/cart.js';

const items = [
  { name: 'tea', price: 450, quantity: 2 },
  { name: 'teapot', price: 1100, quantity: 1 },
];

test('adds up price times quantity', () => {
  assert.equal(subtotal(items), 2000);
});

test('takes a coupon off the price', () => {
  assert.equal(total(items, { coupon: { share: 0.1 } }), 1800);
});

test('lets a gift card pay a part', () => {
  assert.equal(total(items, { giftCard: { amount: 500 } }), 1500);
});

test('lets a gift card pay what the coupon leaves', () => {
  const discounts = { coupon: { share: 0.1 }, giftCard: { amount: 500 } };
  assert.equal(total(items, discounts), 1300);
});

test('never asks for less than nothing', () => {
  assert.equal(total(items, { giftCard: { amount: 9900 } }), 0);
});
