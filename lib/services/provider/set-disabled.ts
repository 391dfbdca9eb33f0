import { findProvider, updateProviderDisabled } from "#lib/db/provider/provider.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { afterWrites, requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";

/**
 * Disables or enables a provider. While disabled, changes of its licenses fail with `provider_unavailable` before any
 * hold, on every instance within seconds; earlier operations are still reconciled. Idempotent.
 * @throws DomainError `not_found`.
 */
export async function setProviderDisabled(
  ctx: ServiceContext,
  input: { readonly name: string; readonly disabled: boolean },
): Promise<{ readonly disabledAt: Date | null }> {
  requireAdmin(ctx, "providers:write");
  const { name, disabled } = input;
  const row = await findProvider(ctx.db, name);
  if (!row) throw new DomainError("not_found", "There is no such provider.");
  if ((row.disabledAt !== null) === disabled) return { disabledAt: row.disabledAt };
  const disabledAt = disabled ? ctx.now() : null;
  const audit = auditRecord(ctx, {
    action: disabled ? "provider.disable" : "provider.enable",
    subject: `provider:${name}`,
    label: name,
  });
  await updateProviderDisabled(writesOf(ctx), name, disabledAt, audit);
  afterWrites(ctx, () => ctx.providers.forget?.(name));
  return { disabledAt };
}
