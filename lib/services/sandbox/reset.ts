import { findReseller } from "#lib/db/reseller/reseller.ts";
import { canResetSandbox, resetSandboxRow } from "#lib/db/reseller/sandbox.ts";
import { deleteEndpointDeliveries } from "#lib/db/webhook/deliveries-in-batches.ts";
import { listWebhookEndpointRows } from "#lib/db/webhook/endpoint.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { noSuchReseller } from "#lib/services/api-key/manager.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { openingOf, requireSandbox } from "./open.ts";

/** Each reset leaves an old sandbox behind. */
const MAX_RESETS_PER_DAY = 10;
const RETRY_AFTER_SECONDS = 3_600;

/**
 * Replaces a sandbox by a new one with its first play money. Test keys and webhook endpoints stay; keys bound to a
 * license, licenses, entries and events do not. A sandbox that has been replaced before is left alone, so a repetition changes nothing.
 * @throws DomainError `state_invalid` in live mode; `not_found` for another reseller's; `rate_limited` after 10 resets
 *   within a day
 */
export async function resetSandbox(ctx: ServiceContext, input: { readonly sandboxId: ResellerId }): Promise<void> {
  const { liveId, currency } = await requireSandbox(ctx);
  const sandbox = await findReseller(ctx.db, input.sandboxId);
  if (sandbox?.sandboxOf !== liveId) throw noSuchReseller();
  const opening = { ...openingOf(currency, changedBy(ctx)), maxPerDay: MAX_RESETS_PER_DAY };
  if (await canResetSandbox(ctx.db, input.sandboxId, opening)) {
    for (const { id } of await listWebhookEndpointRows(ctx.db, input.sandboxId)) {
      await deleteEndpointDeliveries(ctx.db, input.sandboxId, id);
    }
    if (await resetSandboxRow(writesOf(ctx), input.sandboxId, opening)) return;
  }
  throw new DomainError("rate_limited", `A sandbox can be reset ${MAX_RESETS_PER_DAY} times a day. Try again later.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
