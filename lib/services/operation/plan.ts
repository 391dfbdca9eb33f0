import { randomUUID } from "node:crypto";
import type { AddressClaim } from "#lib/db/operation/hold.ts";
import type { CoreChangePrice } from "#lib/domain/core-lots.ts";
import type { EventKind } from "#lib/domain/events.ts";
import type { CoreCreditEffect, CoreLotEffect, EventDraft, OperationPlan } from "#lib/domain/operation-plan.ts";
import { type CoreMetering, extraCores, extraCoresPrice } from "#lib/domain/pricing.ts";
import type { ProviderAction, ProviderRequest } from "#lib/domain/provider-request.ts";
import { toTimestamp } from "#lib/domain/times.ts";

/** A license in a provider request. */
export interface ProviderSubject {
  readonly key: string;
  readonly providerSku: string;
  readonly ipAddress: string;
  readonly cores: number | null;
  readonly expiresAt: Date;
  readonly providerReference: string | null;
}

export interface PlannedStep {
  readonly action: ProviderAction;
  readonly subject: ProviderSubject;
  /** Of a registration or renewal. */
  readonly purchase?: { readonly cycle: string | null; readonly previousExpiresAt: Date | null };
  /** Of a termination. */
  readonly wasSuspended?: boolean;
  /** Reverts the step if a later one is rejected. */
  readonly undo?: { readonly action: ProviderAction; readonly subject: ProviderSubject };
}

/** Derives idempotency keys from operation and position, so the provider executes each request once. */
export function planSteps(operationId: string, drafts: readonly PlannedStep[]): OperationPlan["steps"] {
  const bundled = drafts.length > 1;
  return drafts.map(({ action, subject, purchase, wasSuspended, undo }, position) => ({
    request: {
      ...toRequest(`${operationId}:${position}`, action, subject, purchase),
      ...(wasSuspended === undefined ? {} : { wasSuspended }),
      ...(bundled ? { bundle: { position, size: drafts.length } } : {}),
    },
    undo: undo ? toRequest(`${operationId}:${position}:undo`, undo.action, undo.subject) : null,
  }));
}

function toRequest(
  idempotencyKey: string,
  action: ProviderAction,
  subject: ProviderSubject,
  purchase?: PlannedStep["purchase"],
): ProviderRequest {
  return {
    idempotencyKey,
    action,
    reference: subject.key,
    providerReference: subject.providerReference,
    cycle: purchase?.cycle ?? null,
    previousExpiresAt: purchase?.previousExpiresAt ? toTimestamp(purchase.previousExpiresAt) : null,
    product: subject.providerSku,
    ipAddress: subject.ipAddress,
    cores: subject.cores,
    expiresAt: toTimestamp(subject.expiresAt),
  };
}

/** Claims the licenses' addresses from now until the end of a term; nothing for a term that is over. */
export function claimsUntil(
  until: Date,
  now: Date,
  licenses: readonly { readonly id: number; readonly ipAddress: string }[],
): AddressClaim[] {
  if (until <= now) return [];
  return licenses.map(({ id, ipAddress }) => ({
    license_id: id,
    ip_address: ipAddress,
    valid_from: now,
    valid_until: until,
  }));
}

export function licenseEvent(
  kind: EventKind,
  licenseKey: string,
  data?: EventDraft["data"],
  onceKey?: string | null,
): EventDraft {
  return { id: randomUUID(), kind, licenseKey, ...(data ? { data } : {}), ...(onceKey ? { onceKey } : {}) };
}

/** The id of the bundle instance, which may not exist yet, is added when the event is written. */
export function bundleEvent(kind: EventKind, data: EventDraft["data"]): EventDraft {
  return { id: randomUUID(), kind, data };
}

/** One lot for each license with cores beyond the first. */
export function renewalLots(
  licenses: readonly (CoreMetering & { readonly key: string })[],
): Pick<OperationPlan["onSuccess"], "coreLots"> {
  const coreLots = licenses.flatMap(({ key, ...metering }) => {
    const cores = extraCores(metering.cores ?? 0);
    return cores === 0 ? [] : [{ key, cores, amount: extraCoresPrice(metering).toString() }];
  });
  return coreLots.length === 0 ? {} : { coreLots };
}

/** A priced change of cores as plan effects. */
export function coreChangeEffects(key: string, { lots, credits }: CoreChangePrice) {
  return {
    coreLots: lots.map(({ startsAt, endsAt, amount, ...lot }): CoreLotEffect => {
      return { key, ...lot, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), amount: amount.toString() };
    }),
    coreCredits: credits.map(({ creditedFrom, amount, ...credit }): CoreCreditEffect => {
      return { ...credit, creditedFrom: creditedFrom.toISOString(), amount: amount.toString() };
    }),
  };
}
