import { randomUUID } from "node:crypto";
import {
  auditOpenCase,
  type CaseDecision,
  decideCase,
  hasLiveLicense,
  reopenCase,
} from "#lib/db/reconciliation/action.ts";
import type { CaseDetails } from "#lib/db/reconciliation/details.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import { reportedEnd } from "#lib/domain/reported-term.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { getProvider, providerUnavailable } from "#lib/services/provider/get.ts";

/**
 * Terminates at the provider a license that is not live here. Closes the case first, so only one admin acts, and reopens it
 * if the provider has not done it. If this process dies in between, the next comparison opens a new case.
 * @throws DomainError `conflict`, `provider_rejected`, `provider_unavailable`
 */
export async function endAtProvider(
  ctx: ServiceContext,
  details: CaseDetails,
  decision: CaseDecision,
): Promise<"corrected" | "open"> {
  requireAdmin(ctx, "cases:decide");
  const provider = await getProvider(ctx, details.provider);
  const { reference, facts, resellerId } = details;
  const name = facts.provider?.name ?? null;
  if (await hasLiveLicense(ctx.db, { reference, name, provider: details.provider })) {
    throw new DomainError("conflict", "A live license has this reference now. Compare again first.");
  }
  // A process that stalls after the decision must not send: the license may be live here again.
  const lease = await ctx.leases.begin(async () => false);
  await decideCase(ctx.db, "corrected", decision);
  const outcome = await terminate(provider, toRequest(ctx, details), lease.isHeld);
  if (outcome.kind === "succeeded") return "corrected";
  await reopenCase(ctx.db, details.id);
  await auditOpenCase(ctx.db, { ...decision, resellerId, action: "reconciliation.correct", state: outcome.kind });
  if (outcome.kind === "rejected") throw new DomainError("provider_rejected", outcome.message);
  if (outcome.kind === "not_sent") throw providerUnavailable();
  return "open";
}

/** Asks the provider if the answer was lost, as the work may be done. */
async function terminate(
  provider: LicenseProvider,
  request: ProviderRequest,
  maySend: () => boolean,
): Promise<ProviderOutcome> {
  const outcome = await provider.execute(request, maySend);
  if (outcome.kind !== "unknown") return outcome;
  return (await provider.lookUp(request)).kind === "succeeded" ? { kind: "succeeded" } : outcome;
}

function toRequest(ctx: ServiceContext, { id, reference, facts }: CaseDetails): ProviderRequest {
  const { provider: reported } = facts;
  return {
    idempotencyKey: `case:${id}:${randomUUID()}`,
    action: "terminate",
    reference,
    providerReference: reported?.name ?? null,
    product: reported?.product ?? facts.ours?.product ?? "",
    cycle: null,
    ipAddress: reported?.address ?? facts.ours?.address ?? "",
    cores: reported?.cores ?? null,
    expiresAt: toTimestamp((reported && reportedEnd(reported)) ?? ctx.now()),
    previousExpiresAt: null,
    wasSuspended: reported?.state === "suspended",
  };
}
