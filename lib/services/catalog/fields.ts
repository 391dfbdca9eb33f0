import type { Taken } from "#lib/db/catalog/write.ts";
import { type CatalogFields, checkCatalogFields, type PriceText, parsePrices } from "#lib/domain/catalog.ts";
import { DomainError, invalidParameters, malformed } from "#lib/domain/errors.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import { type Currency, parseCurrency } from "#lib/domain/money.ts";

const takenMessages: Readonly<Record<Taken, string>> = {
  type: "is another product's",
  provider_sku: "is another product's already: a product of the provider is sold once",
  months: "is the term of another cycle: restore that one if it is retired",
  name: "is that of another bundle on sale",
};

/** A conflict shown beside the field. */
export function taken(field: Taken): DomainError {
  return new DomainError("conflict", "It already exists.", { details: { [field]: takenMessages[field] } });
}

/** @throws DomainError `parameters_invalid` with all invalid fields */
export function requireFields(fields: CatalogFields): void {
  const problems = checkCatalogFields(fields);
  if (problems.length > 0) throw invalidParameters(problems);
}

/** @throws DomainError `parameters_invalid` */
export function requireCurrency(code: string): Currency {
  const currency = parseCurrency(code);
  if (currency) return currency;
  throw malformed("currency", "must be a currency such as USD");
}

/** Minor units. @throws DomainError `parameters_invalid` with all invalid fields */
export function requirePrices(text: PriceText, currency: Currency, coreMetered: boolean): CyclePrices {
  const parsed = parsePrices(text, currency, coreMetered);
  if ("problems" in parsed) throw invalidParameters(parsed.problems);
  return parsed.prices;
}

/** A change that conflicts with existing data, named in the message. */
export function conflictWith(message: string): DomainError {
  return new DomainError("state_invalid", message);
}
