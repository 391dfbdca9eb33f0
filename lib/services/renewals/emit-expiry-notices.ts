import { emitNextNotices, forgetUnusedNotices, listNoticeDays } from "#lib/db/renewal/expiry-notice.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";

const BATCH_SIZE = 5_000;

export interface ExpiryNotices {
  readonly expiringSoon: number;
  readonly expired: number;
}

/** Emits each expired and expiring-soon event once, however many workers run. */
export async function emitExpiryNotices(ctx: ServiceContext): Promise<ExpiryNotices> {
  requireSystem(ctx);
  const days = await listNoticeDays(ctx.db);
  await forgetUnusedNotices(ctx.db, days);
  let expiringSoon = 0;
  for (const daysBefore of days) expiringSoon += await emitAll(ctx, daysBefore);
  return { expiringSoon, expired: await emitAll(ctx, null) };
}

async function emitAll(ctx: ServiceContext, daysBefore: number | null): Promise<number> {
  for (let total = 0; ; ) {
    const { seen, emitted } = await emitNextNotices(ctx.db, { daysBefore, now: ctx.now(), limit: BATCH_SIZE });
    total += emitted;
    if (seen < BATCH_SIZE) return total;
  }
}
