/** The columns of `AgreedRenewalPrice` of a license or bundle instance, by its alias. */
export const priceTermsColumns = (row: string) => `
  ${row}.agreed_renewal_price as "agreedPrice", ${row}.announced_renewal_price as "announcedPrice",
  ${row}.renewal_price_announced_at as "announcedAt"`;
