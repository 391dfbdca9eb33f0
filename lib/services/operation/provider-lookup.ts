import {
  addProviderLookup,
  beginProviderLookupRow,
  endProviderLookupRow,
  getProviderLookups,
} from "#lib/db/operation/provider-lookup.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { OperationPlan } from "#lib/domain/operation-plan.ts";
import { revealsAddress } from "#lib/domain/provider-request.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { isActorLimited } from "./address-lookup.ts";

/** Share of a provider's limit from which each further lookup is reported to the operator. */
const NEARLY_USED_UP = 0.75;
const RETRY_AFTER_SECONDS = 5;

const nothing = async () => undefined;

/**
 * A provider can limit how many answers may reveal that an address is taken, for our whole account. Each reseller has a
 * share of them (docs/providers.md). Reserves one before a hold; the returned function releases it.
 * @throws DomainError `rate_limited` if there is none, whether the address is free or not
 */
export async function beginProviderLookup(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { provider, steps }: OperationPlan,
): Promise<() => Promise<void>> {
  const limit = (await ctx.providers.get(provider))?.addressLookupLimit;
  if (limit === undefined || ctx.relocates === "back" || !isActorLimited(ctx)) return nothing;
  if (!steps.some(({ request }) => revealsAddress(request, ctx.now()))) return nothing;
  if (!ctx.isPreview && (await beginProviderLookupRow(ctx.db, resellerId, provider, limit))) {
    // The operation has its outcome. An unreleased reservation ends once nothing has begun for 15 minutes.
    return () => endProviderLookupRow(ctx.db, resellerId, provider).catch(nothing);
  }
  const { own, underWay, others, seconds } = await getProviderLookups(ctx.db, resellerId, provider);
  const share = others >= limit ? Number.POSITIVE_INFINITY : (limit - others) / 2;
  if (own >= share) {
    const message = `Your share of today's address lookups at this provider is used up: ${own} registrations and changes of address that it refused, because other licenses have the addresses. Try again after midnight UTC.`;
    throw new DomainError("rate_limited", message, { retryAfterSeconds: seconds });
  }
  if (ctx.isPreview && own + underWay < share) return nothing;
  const message =
    "Too many of your registrations and changes of address are under way. Try again when some have ended.";
  throw new DomainError("rate_limited", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Counts a provider's answer that reveals that an address is taken, also for actors without a limit. */
export async function recordProviderLookup(ctx: ServiceContext, resellerId: ResellerId, name: string): Promise<void> {
  const provider = await ctx.providers.get(name);
  const limit = provider?.addressLookupLimit;
  if (limit === undefined) return;
  const { own, total } = await addProviderLookup(ctx.db, resellerId, name);
  if (total < limit * NEARLY_USED_UP) return;
  provider?.reportProblem?.(
    `${total} of today's ${limit} address lookups are used up, ${own} of them by reseller ${resellerId}.`,
  );
}
