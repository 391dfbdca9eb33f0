import { z } from "zod";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { scopes } from "#lib/domain/scopes.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { modeOf } from "#lib/services/api-key/manager.ts";
import { getCallingKey } from "#lib/services/api-key/me.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { field } from "./answer-fields.ts";

/** `me` of both interfaces. Names no address: a key may be on a customer's server. */
export const meAnswer = z
  .strictObject({
    key: z.strictObject({
      name: field.text,
      hint: field.text,
      scopes: z.array(z.enum(scopes)),
      license_id: field.licenseId.nullable(),
      signing: z.enum(["none", "optional", "required"]),
      expires_at: field.time.nullable(),
    }),
    mode: z.enum(["live", "test"]),
    reseller: z.strictObject({ name: field.text, currency: field.currency }),
    limits: z.strictObject({ requests_per_minute: field.count }),
  })
  .meta({ title: "Caller" });

export async function describeCaller(ctx: ServiceContext): Promise<z.input<typeof meAnswer>> {
  const { key, reseller } = await getCallingKey(ctx);
  const { name, hint, scopes, licenseId, signing, expiresAt } = key;
  return {
    key: {
      name,
      hint,
      scopes,
      license_id: licenseId && formatLicenseId(licenseId),
      signing,
      expires_at: expiresAt && toTimestamp(expiresAt),
    },
    mode: modeOf(reseller),
    reseller: { name: reseller.name, currency: reseller.currency },
    limits: { requests_per_minute: key.rateLimitPerMinute },
  };
}
