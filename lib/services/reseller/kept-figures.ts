import { LRUCache } from "lru-cache";
import type { Database } from "#lib/db/connection/client.ts";
import { hasMoreLicensesThan } from "#lib/db/overview/overview.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** Up to so many, figures are read anew for every reader: it takes milliseconds. */
const ALWAYS_READ_LICENSES = 10_000;
const MAX_ACCOUNTS_KEPT = 200;

export interface Figures<T> {
  readonly value: T;
  /** Null: as of now, read for this reader. */
  readonly keptSince: Date | null;
}

interface Kept<T> {
  readonly value: T;
  readonly readAt: Date;
  refreshing: boolean;
}

/**
 * Figures that add up all of an account: those of a large one are kept by this process, and read again behind the
 * back of a reader who finds them older than `freshMs`. Nobody is shown any older than `usableMs`; who comes after
 * that, or first, waits (docs/decisions/0014-kept-figures.md).
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
    let kept = ofDatabase.get(ctx.db);
    if (!kept) {
      kept = new LRUCache({ max: MAX_ACCOUNTS_KEPT });
      ofDatabase.set(ctx.db, kept);
    }
    kept.set(resellerId, figures);
    return figures;
  }

  /** Those who come at once wait for the same reading. */
  function readOnce(ctx: ServiceContext, resellerId: ResellerId): Promise<Kept<T>> {
    const reading =
      firstReads.get(resellerId) ?? readAndKeep(ctx, resellerId).finally(() => firstReads.delete(resellerId));
    firstReads.set(resellerId, reading);
    return reading;
  }

  return async (ctx, resellerId) => {
    const kept = ofDatabase.get(ctx.db)?.get(resellerId);
    // An account that was large once counts as large: it is not asked again.
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
      // A failure shows nobody anything: the next reader tries again.
      readAndKeep(ctx, resellerId).catch(() => {
        kept.refreshing = false;
      });
    }
    return { value: kept.value, keptSince: kept.readAt };
  };
}
