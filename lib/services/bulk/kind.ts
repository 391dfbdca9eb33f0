import { z } from "zod";
import type { BulkItemId, BundleInstanceId, LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** An item of a job. All items of a job share `parameters`. */
export interface BulkItem<Parameters, Input> {
  readonly id: BulkItemId;
  readonly licenseId: LicenseId | null;
  readonly bundleInstanceId: BundleInstanceId | null;
  readonly parameters: Parameters;
  readonly input: Input;
}

/** Another version stored this item: one that can read it carries it out. */
export class UnreadableBulkItemError extends Error {}

/** Result of an item. With an operation, the operation's outcome is the item's. */
export type BulkStep =
  | { readonly operationId: string | null }
  | { readonly skipped: { readonly code: string; readonly message: string } };

/** Today's price of each item in minor units; null if not for sale any more. */
export type ItemPrices = ReadonlyMap<BulkItemId, bigint | null>;

type Step<Parameters, Input> = (ctx: ServiceContext, item: BulkItem<Parameters, Input>) => Promise<BulkStep>;
type Finish<Parameters, Input> = (
  ctx: ServiceContext,
  item: BulkItem<Parameters, Input>,
  licenseId: LicenseId,
) => Promise<void>;
type Pricing<Parameters, Input> = (
  ctx: ServiceContext,
  resellerId: ResellerId,
  items: readonly BulkItem<Parameters, Input>[],
) => Promise<ItemPrices>;

export interface BulkKindDefinition<Parameters, Input> {
  /**
   * Schemas of the stored JSON, strict: an unknown field is a choice that this version would leave out. Absent: there are
   * none.
   */
  readonly parameters?: z.ZodType<Parameters>;
  readonly input?: z.ZodType<Input>;
  /**
   * Runs one item as the user who started the job. Starts at most one operation, with the given context. Must be
   * repeatable up to that: runs again after a crash unless the operation has started. A DomainError fails only this item.
   */
  readonly run: Step<Parameters, Input>;
  /**
   * Runs once the item's operation has started and was not rejected, also after a crash: for what comes after it. Must be
   * repeatable.
   */
  readonly finish?: Finish<Parameters, Input>;
  /** Makes the job all or nothing: a failure or a cancellation undoes the items done. */
  readonly undo?: Step<Parameters, Input>;
  /** Prices failed items for a retry. Required if items have a price, which is in their input. */
  readonly prices?: Pricing<Parameters, Input>;
}

/** A kind for the worker: takes stored items. */
export interface BulkKindRunner {
  readonly allOrNothing: boolean;
  readonly run: Step<unknown, unknown>;
  readonly undo: Step<unknown, unknown>;
  readonly finish: Finish<unknown, unknown> | null;
  /** Empty if items are free. */
  readonly prices: Pricing<unknown, unknown>;
}

const nothing = z.strictObject({});

export function defineBulkKind<Parameters, Input>(kind: BulkKindDefinition<Parameters, Input>): BulkKindRunner {
  const { undo, finish, prices } = kind;
  const stored = z.object({ parameters: kind.parameters ?? nothing, input: kind.input ?? nothing });
  const read = (item: BulkItem<unknown, unknown>): BulkItem<Parameters, Input> => {
    const { data, error } = stored.safeParse(item);
    if (error) throw new UnreadableBulkItemError(`bulk item ${item.id}: ${z.prettifyError(error)}`);
    return { ...item, ...(data as { parameters: Parameters; input: Input }) };
  };
  return {
    allOrNothing: undo !== undefined,
    run: async (ctx, item) => kind.run(ctx, read(item)),
    async undo(ctx, item) {
      if (!undo) throw new Error("this kind of job cannot be undone");
      return undo(ctx, read(item));
    },
    finish: finish ? async (ctx, item, licenseId) => finish(ctx, read(item), licenseId) : null,
    prices: async (ctx, resellerId, items) => (prices ? prices(ctx, resellerId, items.map(read)) : new Map()),
  };
}
