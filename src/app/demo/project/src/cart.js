/** Sum of all items, in cents. */
export function subtotal(items) {
  return items.reduce((sum, item) => sum + item.price * item.quantity, 0);
}

/**
 * What the customer pays, in cents. A coupon takes a share off the price;
 * a gift card pays a fixed amount of what is left.
 */
export function total(items, { coupon, giftCard } = {}) {
  let amount = subtotal(items);
  if (giftCard) {
    amount -= giftCard.amount;
  }
  if (coupon) {
    amount = Math.round(amount * (1 - coupon.share));
  }
  return Math.max(0, amount);
}
