import { queueRunwayMailRows } from "#lib/db/mail/mail.ts";
import { listResellersWithRenewalsWithin } from "#lib/db/renewal/renewable.ts";
import { toMajorText } from "#lib/domain/money.ts";
import { computeRunway, topUpNeeded } from "#lib/domain/runway.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { requireSystem, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { listComingRenewals } from "#lib/services/wallet/runway.ts";

const DAYS = 14;

/**
 * Writes a message to each reseller whose balance does not pay for the automatic renewals of the next 14 days, once for
 * each day on which it ends. Returns the number of messages.
 */
export async function queueRunwayMails(ctx: ServiceContext): Promise<number> {
  requireSystem(ctx);
  let messages = 0;
  for (const resellerId of await listResellersWithRenewalsWithin(ctx.db, ctx.now(), DAYS)) {
    const { now, currency, spendable, calendar } = await listComingRenewals(ctx, resellerId, {
      days: DAYS,
      all: false,
    });
    // No top-up pays for what has no price.
    const unpaid = computeRunway(spendable, calendar).lapses.filter(({ price }) => price !== null);
    const [first] = unpaid;
    if (!first) continue;
    const needed = toMajorText(topUpNeeded(spendable, calendar, now, DAYS), currency);
    const data = { until: toTimestamp(first.dueAt), count: unpaid.length, needed, days: DAYS, currency };
    messages += await queueRunwayMailRows(writesOf(ctx), resellerId, data, now);
  }
  return messages;
}
