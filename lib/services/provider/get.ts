import { DomainError } from "#lib/domain/errors.ts";
import type { LicenseProvider, ProviderAccount } from "#lib/ports/license-provider.ts";
import type { ServiceContext } from "#lib/services/context.ts";

const RETRY_AFTER_SECONDS = 30;

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

/** False for a provider that is unknown, disabled or down: no request would be sent. */
export async function acceptsRequests(ctx: ServiceContext, name: string): Promise<boolean> {
  const provider = await ctx.providers.get(name);
  return provider !== undefined && (provider.health?.().accepts ?? true);
}

export function providerUnavailable(): DomainError {
  return new DomainError(
    "provider_unavailable",
    "The provider cannot be reached. Nothing was charged. Try again later.",
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
