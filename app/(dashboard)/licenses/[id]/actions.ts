"use server";
import { z } from "zod";
import { agreedPrice, id, seenVersion, viewedReseller } from "#app/(dashboard)/fields.ts";
import { toRenewed } from "#app/(dashboard)/renewed.ts";
import type { AgentKeysCreated } from "#components/api-key/api-key.ts";
import { installLine } from "#components/diagnostics/install-line.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { publicOrigin } from "#lib/dashboard/public-url.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { parameter } from "#lib/http/parameters.ts";
import { createAgentKeys } from "#lib/services/api-key/create-agent-keys.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";

const revalidate = ["/licenses"];

export const renew = defineAction({
  name: "licenses.renew",
  bound: z.strictObject({ ...viewedReseller, licenseId: id(), seenVersion }),
  input: z.strictObject({ cycle_id: parameter.integer, agreed_price: agreedPrice }),
  revalidate,
  run: async (ctx, renewal, { licenseId }) => toRenewed(await renewLicense(ctx, { ...renewal, licenseId })),
});

export const suspend = defineAction({
  name: "licenses.suspend",
  bound: z.strictObject(viewedReseller),
  input: z.strictObject({ license_id: parameter.integer, reason: parameter.reason }),
  revalidate,
  run: async (ctx, suspension) => {
    const { providerStatus, status } = await suspendLicense(ctx, suspension);
    return { pending: providerStatus === "pending", changed: providerStatus !== "unchanged", status };
  },
});

export const unsuspend = defineAction({
  name: "licenses.unsuspend",
  bound: z.strictObject(viewedReseller),
  input: z.strictObject({ license_id: parameter.integer }),
  revalidate,
  run: async (ctx, input) => {
    const { providerStatus, status } = await unsuspendLicense(ctx, input);
    return { pending: providerStatus === "pending", changed: providerStatus !== "unchanged", status };
  },
});

export const setAutoRenew = defineAction({
  name: "licenses.setAutoRenew",
  bound: z.strictObject({ ...viewedReseller, licenseId: id() }),
  input: z.strictObject({ on: z.boolean(), agreed_price: agreedPrice.nullable() }),
  revalidate,
  run: async (ctx, { on, agreedPrice }, { licenseId }) => {
    const change = { licenseId, on, agreedPrice: agreedPrice ?? undefined };
    const { autoRenew } = await setLicenseAutoRenew(ctx, change);
    return { on: autoRenew };
  },
});

export const createForAgent = defineAction({
  name: "licenses.createForAgent",
  bound: z.strictObject({ licenseIds: z.array(id<LicenseId>()).min(1).readonly() }),
  input: z.strictObject({}),
  revalidate: ["/api-keys"],
  unstored: { line: null },
  asksProof: true,
  run: async (ctx, _, { licenseIds }): Promise<AgentKeysCreated> => ({
    line: installLine(publicOrigin(), await createAgentKeys(ctx, { licenseIds })),
  }),
});
