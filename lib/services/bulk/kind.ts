import type { z } from "zod";
import type { BulkItemId, BundleInstanceId, LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** What one item of a job is about. `parameters` are the same for all of its items. */
export interface BulkItem<Parameters, Input> {
  readonly id: BulkItemId;
  readonly licenseId: LicenseId | null;
  readonly bundleInstanceId: BundleInstanceId | null;
  readonly parameters: Parameters;
  readonly input: Input;
}

/**
 * What an item has come to, if nothing was thrown. With an operation, its outcome is the item's: succeeded, failed, or
 * pending until the provider's answer is clear.
 */
export type BulkStep =
  | { readonly operationId: string | null }
  | { readonly skipped: { readonly code: string; readonly message: string } };

type Step<Parameters, Input> = (ctx: ServiceContext, item: BulkItem<Parameters, Input>) => Promise<BulkStep>;

/** What an item costs today, in minor units; null: it is not sold any more. */
export type ItemPrices = ReadonlyMap<BulkItemId, bigint | null>;

export interface BulkKindDefinition<Parameters, Input> {
  /** The stored JSON is read through these. */
  readonly parameters: z.ZodType<Parameters>;
  readonly input: z.ZodType<Input>;
  /**
   * Does one item in the name of whoever started the job. It begins at most one operation, by the context that it is
   * given. Called again after a crash unless that operation has begun, so whatever else it does can be done twice.
   * A DomainError fails the item alone.
   */
  readonly run: Step<Parameters, Input>;
  /** Takes one item back. Given, the job is all or nothing: one failure, or canceling it, undoes what is done. */
  readonly undo?: Step<Parameters, Input>;
  /** Prices items that failed, so that they can be agreed to anew. Given where items have a price; it is in their input. */
  readonly prices?: (
    ctx: ServiceContext,
    resellerId: ResellerId,
    items: readonly BulkItem<Parameters, Input>[],
  ) => Promise<ItemPrices>;
}

/** A kind as the worker sees it: items as they are stored. */
export interface BulkKindRunner {
  readonly allOrNothing: boolean;
  run(ctx: ServiceContext, item: BulkItem<unknown, unknown>): Promise<BulkStep>;
  undo(ctx: ServiceContext, item: BulkItem<unknown, unknown>): Promise<BulkStep>;
  /** Empty where items are free. */
  prices(
    ctx: ServiceContext,
    resellerId: ResellerId,
    items: readonly BulkItem<unknown, unknown>[],
  ): Promise<ItemPrices>;
}

export function defineBulkKind<Parameters, Input>(kind: BulkKindDefinition<Parameters, Input>): BulkKindRunner {
  const { undo, prices } = kind;
  const read = (item: BulkItem<unknown, unknown>): BulkItem<Parameters, Input> => ({
    ...item,
    parameters: kind.parameters.parse(item.parameters),
    input: kind.input.parse(item.input),
  });
  return {
    allOrNothing: undo !== undefined,
    run: async (ctx, item) => kind.run(ctx, read(item)),
    async undo(ctx, item) {
      if (!undo) throw new Error("this kind of job cannot be taken back");
      return undo(ctx, read(item));
    },
    prices: async (ctx, resellerId, items) => (prices ? prices(ctx, resellerId, items.map(read)) : new Map()),
  };
}
