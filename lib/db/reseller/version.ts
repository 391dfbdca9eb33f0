/**
 * SQL: what a settings form of the reseller `alias` was filled in by. One for each form, so that saving one, or whatever
 * else changes a reseller, does not outdate the other.
 */
export const profileVersion = (alias: string) => `md5(row(${alias}.name, ${alias}.email, ${alias}.notes)::text)`;
export const renewalsVersion = (alias: string) =>
  `md5(row(${alias}.expiring_soon_days, ${alias}.renew_ahead_days)::text)`;
export const priceRulesVersion = (alias: string) =>
  `md5(row(${alias}.price_notice_days, ${alias}.max_increase_percent)::text)`;
