import { z } from "zod";
import type { BulkKind } from "#lib/domain/bulk.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import type { LabelChange } from "#lib/domain/labels.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { setLicenseLabels } from "#lib/services/license/set-labels.ts";
import { setLicenseNotes } from "#lib/services/license/set-notes.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { type RelocationParameters, relocationParameters } from "#lib/services/relocation/parameters.ts";
import { relocateUnit } from "#lib/services/relocation/relocate-unit.ts";
import { priceBundleRenewals, priceRegistrations, priceRenewals } from "./item-prices.ts";
import { type BulkItem, type BulkKindRunner, defineBulkKind } from "./kind.ts";

const empty = z.object({});
const customer = z.object({ customerName: z.string(), customerEmail: z.string(), customerReference: z.string() });
const tags = z.object({ tags: z.array(z.string()) });
/** Only the priced term is renewed, at its price in minor units. */
const pricedTerm = z.object({ termEndsAt: z.coerce.date(), price: z.coerce.bigint() });
const pricedCycle = pricedTerm.extend({ cycleId: z.int().optional() });

export const bulkKindRunners = {
  renew: defineBulkKind({
    parameters: empty,
    input: pricedCycle,
    run: async (ctx, { licenseId, input: { price, ...term } }) => {
      const { operation } = await renewLicense(ctx, { ...term, licenseId: requireId(licenseId), agreedPrice: price });
      return { operationId: operation.id };
    },
    prices: priceRenewals,
  }),
  suspend: defineBulkKind({
    parameters: z.object({ reason: z.string() }),
    input: empty,
    run: async (ctx, { licenseId, parameters }) => {
      const { operationId } = await suspendLicense(ctx, { licenseId: requireId(licenseId), reason: parameters.reason });
      return { operationId };
    },
  }),
  unsuspend: defineBulkKind({
    parameters: empty,
    input: empty,
    run: async (ctx, { licenseId }) => {
      const { operationId } = await unsuspendLicense(ctx, { licenseId: requireId(licenseId) });
      return { operationId };
    },
  }),
  terminate: defineBulkKind({
    parameters: empty,
    input: empty,
    run: async (ctx, { licenseId }) => {
      const { operationId } = await terminateLicense(ctx, { licenseId: requireId(licenseId) });
      return { operationId };
    },
  }),
  set_notes: defineBulkKind({
    parameters: z.object({ notes: z.string() }),
    input: empty,
    run: async (ctx, { licenseId, parameters }) => {
      await setLicenseNotes(ctx, { licenseId: requireId(licenseId), notes: parameters.notes });
      return { operationId: null };
    },
  }),
  set_customer: defineBulkKind({
    parameters: customer,
    input: empty,
    run: (ctx, { licenseId, parameters }) => label(ctx, licenseId, parameters),
  }),
  add_tags: defineBulkKind({
    parameters: tags,
    input: empty,
    run: (ctx, { licenseId, parameters }) => label(ctx, licenseId, { addTags: parameters.tags }),
  }),
  remove_tags: defineBulkKind({
    parameters: tags,
    input: empty,
    run: (ctx, { licenseId, parameters }) => label(ctx, licenseId, { removeTags: parameters.tags }),
  }),
  renew_bundle: defineBulkKind({
    parameters: empty,
    input: pricedTerm,
    run: async (ctx, { bundleInstanceId, input }) => {
      const { operation } = await renewBundle(ctx, {
        bundleInstanceId: requireId(bundleInstanceId),
        termEndsAt: input.termEndsAt,
        agreedPrice: input.price,
      });
      return { operationId: operation.id };
    },
    prices: priceBundleRenewals,
  }),
  set_bundle_auto_renew: defineBulkKind({
    parameters: z.object({ on: z.boolean() }),
    input: empty,
    run: async (ctx, { bundleInstanceId, parameters }) => {
      await setBundleAutoRenew(ctx, { bundleInstanceId: requireId(bundleInstanceId), on: parameters.on });
      return { operationId: null };
    },
  }),
  relocate: defineBulkKind({
    parameters: relocationParameters,
    input: empty,
    run: (ctx, item) => relocate(ctx, item, item.parameters),
    undo: (ctx, item) => relocate(ctx, item, { from: item.parameters.to, to: item.parameters.from }),
  }),
  set_auto_renew: defineBulkKind({
    parameters: z.object({ on: z.boolean() }),
    input: empty,
    run: async (ctx, { licenseId, parameters }) => {
      await setLicenseAutoRenew(ctx, { licenseId: requireId(licenseId), on: parameters.on });
      return { operationId: null };
    },
  }),
  register: defineBulkKind({
    parameters: empty,
    /** From lib/services/license/plan-import.ts; registered only at this price. */
    input: z.object({
      productId: z.int(),
      cycleId: z.int(),
      ipAddress: z.string().transform((text) => text as LicenseAddress),
      notes: z.string(),
      labels: customer.extend(tags.shape).optional(),
      autoRenew: z.boolean(),
      price: z.coerce.bigint(),
    }),
    run: async (ctx, { input: { price, labels: _, ...registration } }) => {
      const { operation } = await registerLicense(ctx, { ...registration, agreedPrice: price });
      return { operationId: operation.id };
    },
    finish: async (ctx, { input }, licenseId) => {
      if (input.labels) await label(ctx, licenseId, input.labels);
    },
    prices: priceRegistrations,
  }),
  change_ip: defineBulkKind({
    parameters: empty,
    input: relocationParameters,
    run: (ctx, item) => relocateUnit(ctx, item, item.input),
  }),
} satisfies Record<BulkKind, BulkKindRunner>;

function relocate(ctx: ServiceContext, item: BulkItem<unknown, unknown>, addresses: RelocationParameters) {
  return relocateUnit({ ...ctx, addressLookupCounted: true }, item, addresses);
}

async function label(ctx: ServiceContext, licenseId: LicenseId | null, change: LabelChange) {
  await setLicenseLabels(ctx, { licenseId: requireId(licenseId), change });
  return { operationId: null };
}

function requireId<Id>(id: Id | null): Id {
  if (id === null) throw new Error("a bulk item lacks its license or bundle");
  return id;
}
