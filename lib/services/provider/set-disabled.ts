import { findProvider, updateProviderDisabled } from "#lib/db/provider/provider.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";

/**
 * Switches a provider off, or on again. Off, every change of its licenses is `provider_unavailable` before anything is
 * held, on every instance within seconds; what was sent before is still asked about. Twice changes nothing.
 * @throws DomainError `permission_denied`, `not_found`.
 */
export async function setProviderDisabled(
  ctx: ServiceContext,
  input: { readonly name: string; readonly disabled: boolean },
): Promise<{ readonly disabledAt: Date | null }> {
  requireAdmin(ctx);
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
  ctx.providers.forget?.(name);
  return { disabledAt };
}
