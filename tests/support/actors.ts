import type { ApiKeyId, LicenseId, ResellerId, UserId } from "#lib/domain/ids.ts";
import type { AdminRole, ResellerRole } from "#lib/domain/roles.ts";
import { scopes as allScopes, type Scope } from "#lib/domain/scopes.ts";
import type { Actor } from "#lib/services/context.ts";

/** Actors by name, for contexts that need only a permission. */
export const actors = {
  apiKey: (resellerId: ResellerId, scopes: readonly Scope[] = allScopes): Actor => ({
    kind: "api_key",
    apiKeyId: 1 as ApiKeyId,
    firstKeyId: 1 as ApiKeyId,
    resellerId,
    scopes: new Set(scopes),
    licenseId: null,
    spendingKeyId: null,
  }),
  /** Bound to one license, with more scopes than such a key can have. */
  boundKey: (resellerId: ResellerId, licenseId: LicenseId): Actor => ({
    kind: "api_key",
    apiKeyId: 1 as ApiKeyId,
    firstKeyId: 1 as ApiKeyId,
    resellerId,
    scopes: new Set(allScopes),
    licenseId,
    spendingKeyId: null,
  }),
  user: (resellerId: ResellerId, role: ResellerRole = "owner"): Actor => ({
    kind: "reseller_user",
    userId: 1 as UserId,
    resellerId,
    role,
  }),
  admin: (resellerId: ResellerId | null, role: AdminRole = "owner"): Actor => ({
    kind: "admin",
    userId: 2 as UserId,
    resellerId,
    role,
  }),
} as const;
