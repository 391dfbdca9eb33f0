import { z } from "zod";
import type { BulkKind } from "#lib/domain/bulk.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import type { Ipv4 } from "#lib/domain/ipv4.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { setLicenseNotes } from "#lib/services/license/set-notes.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { moveUnit } from "#lib/services/migration/move.ts";
import { migrationParameters } from "#lib/services/migration/parameters.ts";
import { type BulkKindRunner, defineBulkKind } from "./kind.ts";

const nothing = z.object({});

/** How one item of each kind is done. */
export const bulkKindRunners = {
  renew: defineBulkKind({
    parameters: nothing,
    /** The end of the term that was priced, and its price in minor units: another term, or price, is not renewed. */
    input: z.object({ termEndsAt: z.coerce.date(), price: z.coerce.bigint() }),
    run: async (ctx, { licenseId, input }) => {
      const { operation } = await renewLicense(ctx, {
        licenseId: required(licenseId),
        termEndsAt: input.termEndsAt,
        agreedPrice: input.price,
      });
      return { operationId: operation.id };
    },
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
  migrate: defineBulkKind({
    parameters: migrationParameters,
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
      ipAddress: z.string().transform((text) => text as Ipv4),
      notes: z.string(),
      autoRenew: z.boolean(),
      price: z.coerce.bigint(),
    }),
    run: async (ctx, { input: { price, ...registration } }) => {
      const { operation } = await registerLicense(ctx, { ...registration, agreedPrice: price });
      return { operationId: operation.id };
    },
  }),
} satisfies Record<BulkKind, BulkKindRunner>;

function required(licenseId: LicenseId | null): LicenseId {
  if (licenseId === null) throw new Error("a bulk item lacks its license");
  return licenseId;
}
