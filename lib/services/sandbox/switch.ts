import { updateTestMode } from "#lib/db/user/session.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { openSandboxOf } from "./open.ts";

/**
 * Makes the session work in test mode, or in live mode again. The first switch creates the sandbox.
 * @param ctx of the live reseller, in either mode
 * @throws DomainError `not_found`
 */
export async function switchTestMode(ctx: ServiceContext, { testMode }: { readonly testMode: boolean }): Promise<void> {
  const resellerId = requireResellerUser(ctx, testMode ? "sandbox:write" : "licenses:read");
  if (testMode) await openSandboxOf(ctx, resellerId);
  await updateTestMode(ctx.db, ctx.sessionId, testMode);
}
