import { listNoticeDays, tellNextNotices } from "#lib/db/renewal/expiry-notice.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

const BATCH_SIZE = 5_000;

export interface ExpiryNotices {
  readonly expiringSoon: number;
  readonly expired: number;
}

/**
 * Tells every end of a term that has come, and every one that is as near as its reseller wants to be told of: each
 * once, however many workers do so at the same time.
 */
export async function tellExpiries(ctx: ServiceContext): Promise<ExpiryNotices> {
  requireAdmin(ctx);
  let expiringSoon = 0;
  for (const daysBefore of await listNoticeDays(ctx.db)) expiringSoon += await tellAll(ctx, daysBefore);
  return { expiringSoon, expired: await tellAll(ctx, null) };
}

async function tellAll(ctx: ServiceContext, daysBefore: number | null): Promise<number> {
  for (let total = 0; ; ) {
    const { seen, told } = await tellNextNotices(ctx.db, { daysBefore, now: ctx.now(), limit: BATCH_SIZE });
    total += told;
    if (seen < BATCH_SIZE) return total;
  }
}
