import { recordAudit } from "#lib/db/audit.ts";
import { findProvider } from "#lib/db/provider.ts";
import { changesOf } from "#lib/domain/audit.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { openCredentials, requireSealingKey, sealCredentials } from "./credentials.ts";
import { checkProviderFields } from "./validate.ts";

/** What is absent stays. */
export interface UpdateProviderInput {
  readonly name: string;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Null: requests are no longer signed. */
  readonly signingSecret?: string | null | undefined;
}

/**
 * Changes address or credentials. Its licenses are known by the names that the old address gave them, so a new address
 * must be that of the same service.
 * @throws DomainError `permission_denied`, `parameters_invalid`, `not_found`, `state_invalid` (the sandbox),
 *   `unavailable` (no ENCRYPTION_KEY).
 */
export async function updateProvider(ctx: ServiceContext, input: UpdateProviderInput): Promise<void> {
  requireAdmin(ctx);
  const { name, apiKey, signingSecret } = input;
  const { baseUrl } = checkProviderFields(input);
  const row = await findProvider(ctx.db, name);
  if (!row) throw new DomainError("not_found", "There is no such provider.");
  if (row.credentials === null)
    throw new DomainError("state_invalid", "This provider has no address and no credentials.");
  const key = requireSealingKey(ctx.settings.sealingKey);
  // With both given, what is stored need not open: this is how a lost ENCRYPTION_KEY is got over.
  const kept =
    apiKey !== undefined && signingSecret !== undefined
      ? { apiKey, signingSecret }
      : openCredentials(row.credentials, name, key);
  const credentials = {
    apiKey: apiKey ?? kept.apiKey,
    signingSecret: signingSecret === undefined ? kept.signingSecret : signingSecret,
  };
  const { prisma } = ctx.db;
  const signs = credentials.signingSecret !== null;
  const changed = Object.keys(input).filter(
    (field) => field !== "name" && input[field as keyof typeof input] !== undefined,
  );
  await prisma.$transaction([
    prisma.provider.update({
      where: { name },
      data: {
        baseUrl: baseUrl ?? row.baseUrl,
        credentials: sealCredentials(credentials, name, key, ctx.randomBytes),
        signs,
      },
    }),
    recordAudit(
      ctx.db,
      auditRecord(ctx, {
        action: "provider.update",
        subject: `provider:${name}`,
        label: name,
        changes: changesOf({ baseUrl: row.baseUrl, signs: row.signs }, { baseUrl: baseUrl ?? row.baseUrl, signs }),
        data: { changed },
      }),
    ),
  ]);
  ctx.providers.forget?.(name);
}
