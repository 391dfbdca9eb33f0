import { type ApiKeyId, formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { agentScopes } from "#lib/domain/scopes.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { getOwnLicense } from "#lib/services/license/get.ts";
import { createResellerApiKey } from "./create.ts";

export interface AgentKeyCreated {
  readonly apiKeyId: ApiKeyId;
  /** Shown once. */
  readonly apiKey: string;
  readonly licenseKey: LicenseKey;
}

/**
 * Creates a key for the agent of each license, bound to it and named after it. Earlier ones stay valid until they are
 * revoked (`list-earlier-agent-keys.ts`).
 * @throws DomainError those of `createResellerApiKey`; keys created until then remain.
 */
export async function createAgentKeys(
  ctx: ServiceContext,
  { licenseIds }: { readonly licenseIds: readonly LicenseId[] },
): Promise<readonly AgentKeyCreated[]> {
  const resellerId = requireResellerUser(ctx, "keys:write");
  const licenses = await Promise.all(licenseIds.map((licenseId) => getOwnLicense(ctx, resellerId, licenseId)));
  const created: AgentKeyCreated[] = [];
  for (const { id: licenseId, key: licenseKey } of licenses) {
    const { apiKeyId, apiKey } = await createResellerApiKey(ctx, {
      name: `Agent of ${formatLicenseId(licenseId)}`,
      scopes: agentScopes,
      licenseId,
    });
    created.push({ apiKeyId, apiKey, licenseKey: licenseKey as LicenseKey });
  }
  return created;
}
