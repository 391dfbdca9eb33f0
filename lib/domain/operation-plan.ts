import { z } from "zod";
import { DomainError } from "./errors.ts";
import { type EventKind, eventKinds } from "./events.ts";
import type { OperationKind } from "./operation.ts";
import { type ProviderRequest, providerActions } from "./provider-request.ts";

const id = z.int();
const minorUnits = z.string().regex(/^-?\d{1,19}$/);
/** ISO 8601 UTC. */
const instant = z.iso.datetime();
const address = z.string();
/** The license's key, which exists before the row's id. */
const key = z.string();

const providerRequest = z.strictObject({
  idempotencyKey: z.string(),
  action: z.enum(providerActions),
  reference: key,
  providerReference: z.string().nullable(),
  product: z.string(),
  cycle: z.string().nullable(),
  ipAddress: address,
  cores: z.int().nullable(),
  expiresAt: instant,
  previousExpiresAt: instant.nullable(),
  wasSuspended: z.boolean().optional(),
  bundle: z.strictObject({ position: z.int(), size: z.int() }).optional(),
});

const step = z.strictObject({
  request: providerRequest,
  /** Reverts the step when a later one is rejected; null for the last step. */
  undo: providerRequest.nullable(),
});

const termEffect = {
  /** The provider has confirmed the registration. */
  provisioned: z.literal(true).optional(),
  cycleId: id.optional(),
  anchoredAt: instant.optional(),
  expiresAt: instant.optional(),
  ipAddress: address.optional(),
  /** Agreed price of the next renewal. Clears an announcement. */
  renewalPrice: minorUnits.optional(),
};

const licenseEffect = z.strictObject({
  ...termEffect,
  key,
  cores: z.int().optional(),
  /** Increase in the renewal price of the license or its bundle. */
  renewalPriceChange: minorUnits.optional(),
  /** After cores are removed, in place of the change: today's renewal price, a cap of the agreed and announced ones. */
  renewalPriceCap: minorUnits.optional(),
  hostname: z.string().optional(),
  terminated: z.literal(true).optional(),
  /** `by` null lifts the suspension. */
  suspension: z
    .strictObject({ by: z.enum(["reseller", "admin"]).nullable(), reason: z.string().optional() })
    .optional(),
});

/** Without `paidTermId`, `startsAt` and `endsAt`: the whole term that the operation adds. */
const coreLot = z.strictObject({
  key,
  paidTermId: id.optional(),
  cores: z.int(),
  startsAt: instant.optional(),
  endsAt: instant.optional(),
  amount: minorUnits,
});

const coreCredit = z.strictObject({ lotId: id, cores: z.int(), creditedFrom: instant, amount: minorUnits });

const event = z.strictObject({
  id: z.uuid(),
  kind: z.enum(eventKinds),
  /** License events get `license_id`, `type` and `server` from this license (contract 4.1). */
  licenseKey: key.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  /** An event with the same key is emitted once. */
  onceKey: z.string().optional(),
});

/** Read by the SQL function `settle_operations`. Absent fields are not changed. */
const effects = z.strictObject({
  licenses: z.array(licenseEffect).readonly(),
  bundleInstance: z.strictObject(termEffect).optional(),
  events: z.array(event).readonly(),
  /** Charges for cores. */
  coreLots: z.array(coreLot).readonly().optional(),
  /** Deletes the rows that the hold inserted. */
  discard: z.literal(true).optional(),
});

const none = z.strictObject({});
const addressChange = z.strictObject({ oldIp: address });
const renewal = z.strictObject({
  /** Start and end of the time that it buys. */
  startsAt: instant,
  newExpiry: instant,
  /** Of an automatic renewal: one per term (`operations_one_automatic_renewal_per_term`). */
  renewsTerm: z.string().optional(),
});

/**
 * What the response needs beyond ids and money, by kind. The response derives only from the operation's row and
 * immutable data, so a replay is identical (contract 1.11).
 */
const facts = {
  license_register: z.strictObject({ licenseKey: key, expiresAt: instant }),
  license_renew: renewal,
  license_change_ip: addressChange,
  license_change_core: z.strictObject({ oldCores: z.int() }),
  license_suspend: none,
  license_unsuspend: z.strictObject({ expiresAt: instant }),
  license_terminate: none,
  license_correct: none,
  bundle_register: z.strictObject({
    name: z.string(),
    ipAddress: address,
    expiresAt: instant,
    productNames: z.array(z.string()).readonly(),
  }),
  bundle_renew: renewal,
  bundle_change_ip: addressChange,
} as const satisfies Record<OperationKind, z.ZodType>;
type Facts<Kind extends OperationKind> = z.infer<(typeof facts)[Kind]>;

/** Raise it when a plan of the version before cannot be carried out as it stands. */
export const PLAN_VERSION = 1 as const;

const plan = {
  version: z.literal(PLAN_VERSION),
  provider: z.string(),
  steps: z.array(step).readonly(),
  onSuccess: effects,
  onRejection: effects,
  /** Taken from lots: reserved by the hold, void if the operation is rejected. */
  coreCredits: z.array(coreCredit).readonly().optional(),
};
const kinds = Object.entries(facts) as [OperationKind, z.ZodType][];
const plans = new Map(kinds.map(([kind, facts]) => [kind, z.strictObject({ ...plan, facts })]));
/** Every response reads the facts, and nothing else of the plan. */
const plansOfFacts = new Map(kinds.map(([kind, facts]) => [kind, z.object({ version: plan.version, facts })]));

/**
 * An operation is fully planned before it starts: the provider requests, how to revert each, and the local effects of
 * success and rejection. The plan is stored with the hold, so the request and a reconciler after a crash settle the
 * operation alike.
 */
export type OperationPlan<Kind extends OperationKind = OperationKind> = z.infer<z.ZodObject<typeof plan>> & {
  readonly facts: Facts<Kind>;
};
export type PlanStep = z.infer<typeof step> & { readonly request: ProviderRequest };
export type CoreLotEffect = z.infer<typeof coreLot>;
export type CoreCreditEffect = z.infer<typeof coreCredit>;
export type EventDraft = z.infer<typeof event> & { readonly kind: EventKind };

/** An operation as it is stored: another version may have written its plan. */
interface StoredOperation<Kind extends OperationKind = OperationKind> {
  readonly id: string;
  readonly kind: Kind;
  readonly plan: unknown;
}

/** @throws DomainError `internal` if this version cannot carry out the plan */
export function readPlan<Kind extends OperationKind>(operation: StoredOperation<Kind>): OperationPlan<Kind> {
  return parsePlan(plans, operation) as unknown as OperationPlan<Kind>;
}

/** @throws DomainError `internal` if this version cannot read the facts; TypeError if the operation is of another kind */
export function readFacts<Kind extends OperationKind>(operation: StoredOperation, kind: Kind): Facts<Kind> {
  if (operation.kind !== kind) throw new TypeError(`${operation.kind} is no ${kind}`);
  return parsePlan(plansOfFacts, operation).facts as Facts<Kind>;
}

function parsePlan<Schema extends z.ZodType>(
  schemas: ReadonlyMap<OperationKind, Schema>,
  { id, kind, plan }: StoredOperation,
): z.infer<Schema> {
  const parsed = schemas.get(kind)?.safeParse(plan);
  if (parsed?.success) return parsed.data;
  const problem = parsed ? z.prettifyError(parsed.error) : "unknown kind";
  throw new DomainError("internal", "This operation was planned by another version.", {
    cause: new Error(`plan of ${kind} ${id}: ${problem}`),
  });
}
