import { countText } from "#lib/domain/count-text.ts";
import { DomainError, type DomainErrorCode } from "#lib/domain/errors.ts";
import type { LicenseProvider, ProviderAccount } from "#lib/ports/license-provider.ts";
import type { ServiceContext } from "#lib/services/context.ts";

const RETRY_AFTER_SECONDS = 30;
const MS_PER_SECOND = 1_000;

/** @throws DomainError `not_found` */
export async function getProvider(ctx: ServiceContext, name: string): Promise<LicenseProvider> {
  const provider = await ctx.providers.get(name);
  if (!provider) throw new DomainError("not_found", "There is no such provider.");
  return provider;
}

/** @throws DomainError `not_found`; `state_invalid` without an account, as at the sandbox */
export async function getProviderAccount(ctx: ServiceContext, name: string): Promise<ProviderAccount> {
  const { account } = await getProvider(ctx, name);
  if (!account) throw new DomainError("state_invalid", "This provider has no account and no catalog.");
  return account;
}

export function providerUnavailable(): DomainError {
  return unchanged("provider_unavailable", "The provider cannot be reached.", "Try again later.", RETRY_AFTER_SECONDS);
}

/** It takes no more requests for the moment. */
export function providerBusy(retryAfterMs: number): DomainError {
  const retryAfterSeconds = Math.ceil(retryAfterMs / MS_PER_SECOND);
  const after = `Try again in ${countText(retryAfterSeconds, "second")}.`;
  return unchanged("provider_busy", "The provider accepts no more requests at the moment.", after, retryAfterSeconds);
}

function unchanged(code: DomainErrorCode, before: string, after: string, retryAfterSeconds: number): DomainError {
  const message = `${before} Nothing was changed. ${after}`;
  return new DomainError(code, message, { retryAfterSeconds, aroundUnchanged: { before, after } });
}
