/**
 * SQL: what a settings form of the reseller `r` was filled in by. One for each form, so that saving one, or whatever
 * else changes a reseller, does not outdate the other.
 */
export const profileVersion = "md5(row(r.name, r.email, r.notes)::text)";
export const renewalsVersion = "md5(row(r.expiring_soon_days, r.renew_ahead_days)::text)";
export const priceRulesVersion = "md5(row(r.price_notice_days, r.max_increase_percent)::text)";
