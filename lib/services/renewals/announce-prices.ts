import { announcePrices } from "#lib/db/renewal/event.ts";
import { getRenewalRules, listRenewables, listResellersWithComingRenewals } from "#lib/db/renewal/renewable.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { priceCheckLeadDays } from "#lib/domain/renewal-price.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";
import { announcementOf, assessRenewable } from "./assess.ts";
import { priceRenewable } from "./price.ts";

const MS_PER_DAY = 24 * 60 * 60 * 1000;
const BATCH_SIZE = 1_000;

/**
 * Announces renewal prices above the agreed ones once, early enough for the notice to end before the renewal is due
 * (docs/money.md). Returns their number.
 * @param input.resellerId default: all resellers
 */
export async function announceRisenPrices(
  ctx: ServiceContext,
  input: { readonly resellerId?: ResellerId } = {},
): Promise<number> {
  requireSystem(ctx);
  const resellerIds =
    input.resellerId === undefined ? await listResellersWithComingRenewals(ctx.db, ctx.now()) : [input.resellerId];
  let announced = 0;
  for (const resellerId of resellerIds) {
    const rules = await getRenewalRules(ctx.db, resellerId);
    const from = ctx.now();
    const until = new Date(from.getTime() + priceCheckLeadDays(rules, rules.renewAheadDays) * MS_PER_DAY);
    const rows = (await listRenewables(ctx.db, resellerId, { now: from, until, all: false })).map(priceRenewable);
    for (let done = 0; done < rows.length; done += BATCH_SIZE) {
      // The notice begins when it is given, however long the run has taken or slept.
      const now = ctx.now();
      const batch = rows.slice(done, done + BATCH_SIZE);
      const risen = batch.flatMap((row) => announcementOf(row, assessRenewable(row, rules, now), now));
      if (risen.length > 0) await announcePrices(ctx.db, resellerId, risen, now);
      announced += risen.length;
    }
  }
  return announced;
}
