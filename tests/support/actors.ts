import type { ApiKeyId, ResellerId, UserId } from "#lib/domain/ids.ts";
import { scopes as allScopes, type Scope } from "#lib/domain/scopes.ts";
import type { Actor } from "#lib/services/context.ts";

/** Actors by name, for contexts that need only a permission. */
export const actors = {
  apiKey: (resellerId: ResellerId, scopes: readonly Scope[] = allScopes): Actor => ({
    kind: "api_key",
    apiKeyId: 1 as ApiKeyId,
    resellerId,
    scopes: new Set(scopes),
  }),
  user: (resellerId: ResellerId): Actor => ({ kind: "reseller_user", userId: 1 as UserId, resellerId }),
  admin: (resellerId: ResellerId | null): Actor => ({ kind: "admin", userId: 2 as UserId, resellerId }),
} as const;
