import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireUserWith } from "#lib/dashboard/session.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import { parseLicenseId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { getLicense, getLicenseOwner, type LicenseRow } from "#lib/services/license/get.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";

export const HISTORY_LENGTH = 100;

export interface ShownLicense {
  readonly user: SignedInUser;
  /** Of the user; an admin's names the license's reseller. */
  readonly ctx: ServiceContext;
  readonly license: LicenseRow;
  /** For admins: whose license it is. */
  readonly viewed: { readonly resellerId?: ResellerId };
  /** What its forms were filled in by. */
  readonly seen: { readonly licenseId: LicenseId; readonly seenVersion: string; readonly resellerId?: ResellerId };
}

/** A reseller's own license, and for admins any. `id`: as in the address. */
export async function findLicense(id: string): Promise<ShownLicense> {
  const user = await requireUserWith("licenses:read");
  const licenseId = (parseLicenseId(id) ?? 0) as LicenseId;
  const viewed =
    user.kind === "admin" ? { resellerId: await orNotFound(getLicenseOwner(contextOf(user), { licenseId })) } : {};
  const ctx = contextOf(user, { forReseller: viewed.resellerId ?? null });
  const license = await orNotFound(getLicense(ctx, { licenseId }));
  return { user, ctx, license, viewed, seen: { ...viewed, licenseId: license.id, seenVersion: versionOf([license]) } };
}
