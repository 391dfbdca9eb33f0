import { z } from "zod";
import type { BulkKind } from "#lib/domain/bulk.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { setLicenseNotes } from "#lib/services/license/set-notes.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { moveUnit } from "#lib/services/relocation/move.ts";
import { relocationParameters } from "#lib/services/relocation/parameters.ts";
import { priceBundleRenewals, priceRegistrations, priceRenewals } from "./item-prices.ts";
import { type BulkKindRunner, defineBulkKind } from "./kind.ts";

const nothing = z.object({});
/** The end of the term that was priced, and its price in minor units: another term, or price, is not renewed. */
const pricedTerm = z.object({ termEndsAt: z.coerce.date(), price: z.coerce.bigint() });

/** How one item of each kind is done. */
export const bulkKindRunners = {
  renew: defineBulkKind({
    parameters: nothing,
    input: pricedTerm,
    run: async (ctx, { licenseId, input }) => {
      const { operation } = await renewLicense(ctx, {
        licenseId: required(licenseId),
        termEndsAt: input.termEndsAt,
        agreedPrice: input.price,
      });
      return { operationId: operation.id };
    },
    prices: priceRenewals,
  }),
  suspend: defineBulkKind({
    parameters: z.object({ reason: z.string() }),
    input: nothing,
    run: async (ctx, { licenseId, parameters }) => {
      const { operationId } = await suspendLicense(ctx, { licenseId: required(licenseId), reason: parameters.reason });
      return { operationId };
    },
  }),
  unsuspend: defineBulkKind({
    parameters: nothing,
    input: nothing,
    run: async (ctx, { licenseId }) => {
      const { operationId } = await unsuspendLicense(ctx, { licenseId: required(licenseId) });
      return { operationId };
    },
  }),
  set_notes: defineBulkKind({
    parameters: z.object({ notes: z.string() }),
    input: nothing,
    run: async (ctx, { licenseId, parameters }) => {
      await setLicenseNotes(ctx, { licenseId: required(licenseId), notes: parameters.notes });
      return { operationId: null };
    },
  }),
  renew_bundle: defineBulkKind({
    parameters: nothing,
    input: pricedTerm,
    run: async (ctx, { bundleInstanceId, input }) => {
      const { operation } = await renewBundle(ctx, {
        bundleInstanceId: required(bundleInstanceId),
        termEndsAt: input.termEndsAt,
        agreedPrice: input.price,
      });
      return { operationId: operation.id };
    },
    prices: priceBundleRenewals,
  }),
  set_bundle_auto_renew: defineBulkKind({
    parameters: z.object({ on: z.boolean() }),
    input: nothing,
    run: async (ctx, { bundleInstanceId, parameters }) => {
      await setBundleAutoRenew(ctx, { bundleInstanceId: required(bundleInstanceId), on: parameters.on });
      return { operationId: null };
    },
  }),
  relocate: defineBulkKind({
    parameters: relocationParameters,
    input: nothing,
    run: (ctx, item) => moveUnit(ctx, item, item.parameters),
    undo: (ctx, item) => moveUnit(ctx, item, { from: item.parameters.to, to: item.parameters.from }),
  }),
  set_auto_renew: defineBulkKind({
    parameters: z.object({ on: z.boolean() }),
    input: nothing,
    run: async (ctx, { licenseId, parameters }) => {
      await setLicenseAutoRenew(ctx, { licenseId: required(licenseId), on: parameters.on });
      return { operationId: null };
    },
  }),
  register: defineBulkKind({
    parameters: nothing,
    /** As the import has read it (lib/services/license/plan-import.ts); at another price it is not registered. */
    input: z.object({
      productId: z.int(),
      cycleId: z.int(),
      ipAddress: z.string().transform((text) => text as LicenseAddress),
      notes: z.string(),
      autoRenew: z.boolean(),
      price: z.coerce.bigint(),
    }),
    run: async (ctx, { input: { price, ...registration } }) => {
      const { operation } = await registerLicense(ctx, { ...registration, agreedPrice: price });
      return { operationId: operation.id };
    },
    prices: priceRegistrations,
  }),
} satisfies Record<BulkKind, BulkKindRunner>;

function required<Id>(id: Id | null): Id {
  if (id === null) throw new Error("a bulk item lacks what it is about");
  return id;
}
