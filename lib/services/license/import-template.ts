import { listProductOffers } from "#lib/db/catalog/offer.ts";
import { type CsvText, csvRecord } from "#lib/domain/csv.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";

const EXAMPLES = 2;

/**
 * Import template: the columns and two sample rows with products on sale and documentation addresses.
 * @throws DomainError `permission_denied` at the first chunk
 */
export async function* streamImportTemplate(ctx: ServiceContext): AsyncGenerator<CsvText> {
  const resellerId = requireResellerUser(ctx, "wallet:spend");
  const offers = await listProductOffers(ctx.db, resellerId);
  yield csvRecord(["product", "cycle", "ip_address", "notes", "customer_name", "tags", "auto_renew"]);
  for (const [index, { name, cycles }] of offers.slice(0, EXAMPLES).entries()) {
    yield csvRecord([
      name,
      cycles[0]?.name ?? "",
      `203.0.113.${index + 7}`,
      `Order ${4711 + index}`,
      "Acme GmbH",
      "eu, vip",
      "no",
    ]);
  }
}
