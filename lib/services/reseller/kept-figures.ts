import { LRUCache } from "lru-cache";
import { sharedDatabase } from "#lib/db/connection/batch.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { hasMoreLicensesThan } from "#lib/db/overview/overview.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** Up to this many, figures are read on every request, within milliseconds. */
const ALWAYS_READ_LICENSES = 10_000;
const MAX_ACCOUNTS_KEPT = 200;

export interface Figures<T> {
  readonly value: T;
  /** Null: read now. */
  readonly keptSince: Date | null;
}

interface Kept<T> {
  readonly value: T;
  readonly readAt: Date;
  refreshing: boolean;
}

/**
 * Figures computed over all licenses of a reseller. Those of a large one are cached per process and refreshed
 * asynchronously once older than `freshMs`; a request waits only for the first figures and for ones older than
 * `usableMs` (docs/decisions/0014-kept-figures.md).
 */
export function keepFigures<T>(
  ages: { readonly freshMs: number; readonly usableMs: number },
  read: (ctx: ServiceContext, resellerId: ResellerId) => Promise<T>,
): (ctx: ServiceContext, resellerId: ResellerId) => Promise<Figures<T>> {
  const ofDatabase = new WeakMap<Database, LRUCache<ResellerId, Kept<T>>>();
  const firstReads = new Map<ResellerId, Promise<Kept<T>>>();

  async function readAndKeep(ctx: ServiceContext, resellerId: ResellerId): Promise<Kept<T>> {
    const readAt = ctx.now();
    const figures = { value: await read(ctx, resellerId), readAt, refreshing: false };
    const db = sharedDatabase(ctx.db);
    let kept = ofDatabase.get(db);
    if (!kept) {
      kept = new LRUCache({ max: MAX_ACCOUNTS_KEPT });
      ofDatabase.set(db, kept);
    }
    kept.set(resellerId, figures);
    return figures;
  }

  /** Concurrent requests share one reading. */
  function readOnce(ctx: ServiceContext, resellerId: ResellerId): Promise<Kept<T>> {
    const reading =
      firstReads.get(resellerId) ?? readAndKeep(ctx, resellerId).finally(() => firstReads.delete(resellerId));
    firstReads.set(resellerId, reading);
    return reading;
  }

  return async (ctx, resellerId) => {
    const kept = ofDatabase.get(sharedDatabase(ctx.db))?.get(resellerId);
    // A reseller that was large once stays cached.
    if (!kept && !(await hasMoreLicensesThan(ctx.db, resellerId, ALWAYS_READ_LICENSES))) {
      return { value: await read(ctx, resellerId), keptSince: null };
    }
    const ageMs = kept ? ctx.now().getTime() - kept.readAt.getTime() : Number.POSITIVE_INFINITY;
    if (!kept || ageMs > ages.usableMs) {
      const { value, readAt } = await readOnce(ctx, resellerId);
      return { value, keptSince: readAt };
    }
    if (ageMs > ages.freshMs && !kept.refreshing) {
      kept.refreshing = true;
      // The next request tries again.
      readAndKeep(ctx, resellerId).catch(() => {
        kept.refreshing = false;
      });
    }
    return { value: kept.value, keptSince: kept.readAt };
  };
}
