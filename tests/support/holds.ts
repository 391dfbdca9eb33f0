/** Holds without a service, for tests of the statements that place and settle them. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Hold } from "#lib/db/operation/hold.ts";
import type { EventKind } from "#lib/domain/events.ts";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { PLAN_VERSION } from "#lib/domain/operation-plan.ts";
import type { Offer } from "./world.ts";

const TERM_MS = 30 * 24 * 3_600_000;

export interface HoldDraft {
  readonly resellerId: number;
  readonly price: bigint;
  readonly now: Date;
  readonly change?: Partial<Hold["operation"]>;
  /** Registers a license at the address. */
  readonly register?: Offer & { readonly ipAddress: string; readonly externalId?: string };
  /** Renews a license, as read with this version. Default: changes none. */
  readonly renew?: { readonly id: number; readonly key: string; readonly version: string };
  readonly idempotencyKey?: Hold["idempotencyKey"];
}

type Planned = Pick<Hold["operation"], "kind" | "plan">;

function planOf({ register, renew }: HoldDraft, key: string, expiresAt: string): Planned {
  const common = { version: PLAN_VERSION, provider: "sandbox", steps: [] } as const;
  const event = (kind: EventKind) => [{ id: randomUUID(), kind, licenseKey: key }];
  const none = { licenses: [], events: [] };
  if (register) {
    const onSuccess = { licenses: [{ key, provisioned: true as const }], events: event("license.activated") };
    const onRejection = { licenses: [], events: event("license.registration_failed"), discard: true as const };
    return {
      kind: "license_register",
      plan: { ...common, onSuccess, onRejection, facts: { licenseKey: key, expiresAt } },
    };
  }
  if (!renew) return { kind: "license_suspend", plan: { ...common, onSuccess: none, onRejection: none, facts: {} } };
  const onSuccess = { licenses: [{ key, expiresAt }], events: event("license.updated") };
  return {
    kind: "license_renew",
    plan: { ...common, onSuccess, onRejection: none, facts: { startsAt: expiresAt, newExpiry: expiresAt } },
  };
}

/** The id is also the owner's and the token. */
export function holdOf(draft: HoldDraft): Hold {
  const { resellerId, price, now, change, register, renew, idempotencyKey = null } = draft;
  const id = randomUUID();
  const key = renew?.key ?? createLicenseKey((count) => randomBytes(count));
  const expiresAt = new Date(now.getTime() + (renew ? 3 : 1) * TERM_MS);
  const newLicense = register && {
    key,
    product_id: register.productId,
    cycle_id: register.cycleId,
    ip_address: register.ipAddress,
    cores: null,
    notes: "",
    external_id: register.externalId,
    agreed_renewal_price: null,
    issued_at: now,
    anchored_at: now,
    expires_at: expiresAt,
  };
  return {
    operation: {
      id,
      ...planOf(draft, key, expiresAt.toISOString()),
      reseller_id: resellerId,
      license_id: renew?.id ?? null,
      bundle_instance_id: null,
      hold_amount: price > 0n ? price : 0n,
      price,
      currency: null,
      actor: "test",
      request_id: "req_test",
      owner_id: id,
      lease_token: id,
      created_at: now,
      ...change,
    },
    newLicenses: newLicense ? [newLicense] : [],
    newInstance: null,
    lockLicenses: renew ? [{ id: renew.id, version: renew.version }] : [],
    claims: [],
    idempotencyKey,
  };
}
