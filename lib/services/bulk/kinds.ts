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
import type { OperationResult } from "#lib/services/operation/change-at-provider.ts";
import { relocationParameters } from "#lib/services/relocation/parameters.ts";
import { relocateUnit } from "#lib/services/relocation/relocate-unit.ts";
import { priceBundleRenewals, priceRegistrations, priceRenewals } from "./item-prices.ts";
import { type BulkItem, type BulkKindRunner, defineBulkKind } from "./kind.ts";

const customer = z.strictObject({ customerName: z.string(), customerEmail: z.string(), customerReference: z.string() });
const tags = z.strictObject({ tags: z.array(z.string()) });
const onOrOff = z.strictObject({ on: z.boolean() });
/** Only the priced term is renewed, at its price in minor units. */
const pricedTerm = z.strictObject({ termEndsAt: z.coerce.date(), price: z.coerce.bigint() });
const pricedCycle = pricedTerm.extend({ cycleId: z.int().optional() });

export const bulkKindRunners = {
  renew: defineBulkKind({
    /** What was chosen; each item has the cycle that it led to. */
    parameters: z.strictObject({ months: z.int().optional() }),
    input: pricedCycle,
    run: (ctx, { licenseId, input: { price, ...term } }) =>
      charged(renewLicense(ctx, { ...term, licenseId: requireId(licenseId), agreedPrice: price })),
    prices: priceRenewals,
  }),
  suspend: defineBulkKind({
    parameters: z.strictObject({ reason: z.string() }),
    run: (ctx, { licenseId, parameters }) => suspendLicense(ctx, { licenseId: requireId(licenseId), ...parameters }),
  }),
  unsuspend: defineBulkKind({
    run: (ctx, { licenseId }) => unsuspendLicense(ctx, { licenseId: requireId(licenseId) }),
  }),
  terminate: defineBulkKind({
    run: (ctx, { licenseId }) => terminateLicense(ctx, { licenseId: requireId(licenseId) }),
  }),
  set_notes: defineBulkKind({
    parameters: z.strictObject({ notes: z.string() }),
    run: (ctx, { licenseId, parameters }) =>
      free(setLicenseNotes(ctx, { licenseId: requireId(licenseId), ...parameters })),
  }),
  set_customer: defineBulkKind({
    parameters: customer,
    run: (ctx, { licenseId, parameters }) => free(label(ctx, licenseId, parameters)),
  }),
  add_tags: defineBulkKind({
    parameters: tags,
    run: (ctx, { licenseId, parameters }) => free(label(ctx, licenseId, { addTags: parameters.tags })),
  }),
  remove_tags: defineBulkKind({
    parameters: tags,
    run: (ctx, { licenseId, parameters }) => free(label(ctx, licenseId, { removeTags: parameters.tags })),
  }),
  set_auto_renew: defineBulkKind({
    parameters: onOrOff,
    run: (ctx, { licenseId, parameters }) =>
      free(setLicenseAutoRenew(ctx, { licenseId: requireId(licenseId), ...parameters })),
  }),
  renew_bundle: defineBulkKind({
    input: pricedTerm,
    run: (ctx, { bundleInstanceId, input: { price, ...term } }) =>
      charged(renewBundle(ctx, { ...term, bundleInstanceId: requireId(bundleInstanceId), agreedPrice: price })),
    prices: priceBundleRenewals,
  }),
  set_bundle_auto_renew: defineBulkKind({
    parameters: onOrOff,
    run: (ctx, { bundleInstanceId, parameters }) =>
      free(setBundleAutoRenew(ctx, { bundleInstanceId: requireId(bundleInstanceId), ...parameters })),
  }),
  relocate: defineBulkKind({
    parameters: relocationParameters,
    run: (ctx, item) => relocate(ctx, item, item.parameters),
    undo: (ctx, item) => relocate(ctx, item, { from: item.parameters.to, to: item.parameters.from, reverts: true }),
  }),
  register: defineBulkKind({
    /** From lib/services/license/plan-import.ts; registered only at this price. */
    input: z.strictObject({
      productId: z.int(),
      /** Shown until there is a license. */
      productName: z.string().optional(),
      cycleId: z.int(),
      ipAddress: z.string().transform((text) => text as LicenseAddress),
      notes: z.string(),
      labels: customer.extend(tags.shape).optional(),
      autoRenew: z.boolean(),
      price: z.coerce.bigint(),
    }),
    run: (ctx, { input: { price, labels: _, productName: __, ...registration } }) =>
      charged(registerLicense(ctx, { ...registration, agreedPrice: price })),
    finish: async (ctx, { input }, licenseId) => {
      if (input.labels) await label(ctx, licenseId, input.labels);
    },
    prices: priceRegistrations,
  }),
  change_ip: defineBulkKind({
    input: relocationParameters,
    run: (ctx, item) => relocateUnit(ctx, item, item.input),
  }),
} satisfies Record<BulkKind, BulkKindRunner>;

function relocate(ctx: ServiceContext, item: BulkItem<unknown, unknown>, move: Parameters<typeof relocateUnit>[2]) {
  return relocateUnit({ ...ctx, relocates: move.reverts ? "back" : "forth" }, item, move);
}

async function charged(result: Promise<OperationResult>) {
  return { operationId: (await result).operation.id };
}

/** A change without an operation. */
async function free(change: Promise<unknown>) {
  await change;
  return { operationId: null };
}

function label(ctx: ServiceContext, licenseId: LicenseId | null, change: LabelChange) {
  return setLicenseLabels(ctx, { licenseId: requireId(licenseId), change });
}

function requireId<Id>(id: Id | null): Id {
  if (id === null) throw new Error("a bulk item lacks its license or bundle");
  return id;
}
