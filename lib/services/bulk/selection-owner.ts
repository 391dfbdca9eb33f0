import { listOwnersOfLicenses } from "#lib/db/bulk/selection.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

const NAMED = 3;

/**
 * The reseller of the licenses that an admin selected. A job belongs to one reseller, whose wallet pays for it.
 * @throws DomainError `license_not_found`, `state_invalid` (of several resellers)
 */
export async function getSelectionOwner(
  ctx: ServiceContext,
  { licenseIds }: { readonly licenseIds: readonly number[] },
): Promise<{ readonly id: ResellerId; readonly name: string }> {
  requireAdmin(ctx, "admin:read");
  const [owner, ...others] = await listOwnersOfLicenses(ctx.db, licenseIds);
  if (!owner) throw new DomainError("license_not_found", "The selected licenses no longer exist.");
  if (others.length > 0) throw ofSeveral([owner, ...others].map(({ name }) => name));
  return owner;
}

function ofSeveral(names: readonly string[]): DomainError {
  const more = names.length - NAMED;
  const named = names.slice(0, NAMED).join(", ");
  return new DomainError(
    "state_invalid",
    `These licenses belong to ${names.length} resellers: ${more > 0 ? `${named} and ${more} more` : named}. Select those of one reseller at a time.`,
  );
}
