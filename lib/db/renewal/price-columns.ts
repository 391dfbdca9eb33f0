import { bigint, nullable, timestamp } from "#lib/db/connection/columns.ts";
import type { AgreedRenewalPrice } from "#lib/domain/renewal-price.ts";

/** The columns of `AgreedRenewalPrice` of a license or bundle instance, by its alias. */
export const priceTermsColumns = (row: string) => `
  ${row}.agreed_renewal_price as "agreedPrice", ${row}.announced_renewal_price as "announcedPrice",
  ${row}.renewal_price_announced_at as "announcedAt"`;

export const priceTerms = {
  agreedPrice: nullable(bigint),
  announcedPrice: nullable(bigint),
  announcedAt: nullable(timestamp),
} satisfies Record<keyof AgreedRenewalPrice, unknown>;
