import { createPendingWrites } from "#lib/db/connection/transaction.ts";
import type { PriceText } from "#lib/domain/catalog.ts";
import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { removePrice } from "./remove-price.ts";
import { setPrice } from "./set-price.ts";

/** One price of a grid. An empty `price` removes it. */
export interface PriceChange extends PriceText {
  readonly cycleId: number;
  readonly currency: string;
  /** Version that the grid showed; empty: there was none. */
  readonly seenVersion: string;
}

interface PriceGrid {
  /** Null: the list prices. */
  readonly resellerId: ResellerId | null;
  readonly allowBelowCost: boolean;
  readonly changes: readonly PriceChange[];
}

/**
 * Saves all prices of a grid, or none, with an audit entry for each.
 * @throws DomainError `changed_meanwhile`, `parameters_invalid`; `details` names every cell that is the reason, as
 *   `<cycle>.<currency>.<field>`.
 */
export async function savePrices(ctx: ServiceContext, { changes, ...grid }: PriceGrid): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const own = ctx.claim === null ? createPendingWrites(ctx.db) : null;
  const db = own?.writes ?? ctx.db;
  const failures: { readonly change: PriceChange; readonly error: DomainError }[] = [];
  try {
    // In one order, so that two grids wait for each other instead of blocking each other.
    for (const change of changes.toSorted(compareChanges)) {
      const { price, seenVersion } = change;
      const save = price.trim() === "" ? removePrice : setPrice;
      await save({ ...ctx, db, seenVersion }, { ...change, ...grid }).catch((error: unknown) => {
        if (!isDomainError(error) || error.code === "unavailable") throw error;
        failures.push({ change, error });
      });
    }
    if (failures.length > 0) throw refusalOf(failures);
    await own?.commit();
  } catch (error) {
    await own?.rollback();
    throw error;
  }
}

function compareChanges(one: PriceChange, other: PriceChange): number {
  return one.cycleId - other.cycleId || (one.currency < other.currency ? -1 : 1);
}

function refusalOf(failures: readonly { readonly change: PriceChange; readonly error: DomainError }[]): DomainError {
  const details = Object.fromEntries(
    failures.flatMap(({ change: { cycleId, currency }, error }) => {
      const named = Object.entries(error.details);
      const reasons = named.length > 0 ? named : [["price", error.message] as const];
      return reasons.map(([field, message]) => [`${cycleId}.${currency}.${field}`, message]);
    }),
  );
  const count = Object.keys(details).length;
  const cells = count === 1 ? "1 cell" : `${count} cells`;
  return failures.some(({ error }) => error.code === "changed_meanwhile")
    ? new DomainError(
        "changed_meanwhile",
        `Another administrator has changed ${cells} meanwhile. No price was saved.`,
        {
          details,
        },
      )
    : new DomainError("parameters_invalid", `No price was saved: check ${cells}.`, { details });
}
