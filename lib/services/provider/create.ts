import { findProvider, insertProvider } from "#lib/db/provider/provider.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { afterWrites, requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireSealingKey, sealCredentials } from "./credentials.ts";
import { checkProviderFields } from "./validate.ts";

export interface CreateProviderInput {
  /** The name that products refer to; never changes. */
  readonly name: string;
  /** Of the dispatch interface, ending in `/api/v1/`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Signs every request (contract 3.14). */
  readonly signingSecret?: string | null | undefined;
}

/**
 * Adds a service with the dispatch interface as provider. Its credentials are stored sealed and never shown again.
 * @throws DomainError `parameters_invalid`, `conflict` (name taken), `unavailable` (no ENCRYPTION_KEY).
 */
export async function createProvider(
  ctx: ServiceContext,
  input: CreateProviderInput,
): Promise<{ readonly name: string; readonly baseUrl: string }> {
  requireAdmin(ctx, "providers:write");
  const { name, apiKey, signingSecret = null } = input;
  const { baseUrl = input.baseUrl } = checkProviderFields(input, {
    allowHttp: ctx.settings.allowHttpProviders === true,
  });
  const key = requireSealingKey(ctx.settings.sealingKey);
  if (await findProvider(ctx.db, name)) {
    throw new DomainError("conflict", "A provider with this name already exists.", { details: { name: "is taken" } });
  }
  const credentials = sealCredentials({ apiKey, signingSecret }, name, key, ctx.randomBytes);
  const signs = signingSecret !== null;
  const audit = auditRecord(ctx, {
    action: "provider.create",
    subject: `provider:${name}`,
    label: name,
    data: { baseUrl, signs },
  });
  await insertProvider(writesOf(ctx), { name, baseUrl, credentials, signs }, audit);
  afterWrites(ctx, () => ctx.providers.forget?.(name));
  return { name, baseUrl };
}
