/** The columns of `ToldPrice`, of a license or a bundle instance. */
export const toldPrice = (row: string) => `
  ${row}.agreed_renewal_price as "agreedPrice", ${row}.announced_renewal_price as "announcedPrice",
  ${row}.renewal_price_announced_at as "announcedAt"`;
