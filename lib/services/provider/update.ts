import { findProvider, updateProviderRow } from "#lib/db/provider/provider.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { afterWrites, requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile, requireSeenVersion } from "#lib/services/operation/seen-version.ts";
import { openCredentials, requireSealingKey, sealCredentials } from "./credentials.ts";
import { checkProviderFields, type ProviderFields, requireNewCredentials } from "./validate.ts";

/** Absent fields are not changed. */
export interface UpdateProviderInput extends ProviderFields {
  readonly name: string;
}

/**
 * Changes address or credentials. A new address must belong to the same service, which knows our licenses, and needs
 * credentials again.
 * @throws DomainError `parameters_invalid`, `not_found`, `state_invalid` (the sandbox), `unavailable` (no
 * ENCRYPTION_KEY), `changed_meanwhile`.
 */
export async function updateProvider(ctx: ServiceContext, input: UpdateProviderInput): Promise<void> {
  requireAdmin(ctx, "providers:write");
  const { name, apiKey, signingSecret } = input;
  const { baseUrl } = checkProviderFields(input, { allowHttp: ctx.settings.allowHttpProviders === true });
  const row = await findProvider(ctx.db, name);
  if (!row) throw new DomainError("not_found", "There is no such provider.");
  requireSeenVersion(ctx, [row], "This provider");
  if (row.credentials === null)
    throw new DomainError("state_invalid", "This provider has no address and no credentials.");
  if (baseUrl !== undefined && baseUrl !== row.baseUrl) requireNewCredentials(input, row.signs);
  const key = requireSealingKey(ctx.settings.sealingKey);
  // With both given, the stored credentials are not opened: the way to recover from a lost ENCRYPTION_KEY.
  const kept =
    apiKey !== undefined && signingSecret !== undefined
      ? { apiKey, signingSecret }
      : openCredentials(row.credentials, name, key);
  const credentials = {
    apiKey: apiKey ?? kept.apiKey,
    signingSecret: signingSecret === undefined ? kept.signingSecret : signingSecret,
  };
  const change = {
    baseUrl: baseUrl ?? row.baseUrl,
    credentials: sealCredentials(credentials, name, key, ctx.randomBytes),
    signs: credentials.signingSecret !== null,
    given: Object.keys(input).filter((field) => field !== "name" && input[field as keyof typeof input] !== undefined),
  };
  if (!(await updateProviderRow(writesOf(ctx), row, change, changedBy(ctx)))) throw changedMeanwhile("This provider");
  afterWrites(ctx, () => ctx.providers.forget?.(name));
}
