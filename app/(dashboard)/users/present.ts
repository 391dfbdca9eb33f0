import type { UserLine } from "#components/user/user.ts";
import type { UserRow } from "#lib/services/user/list.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";

export function presentUser(row: UserRow, reader: SignedInUser): UserLine {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    organization: row.resellerName ?? "Administration",
    organizationHref: row.resellerId === null ? null : `/resellers/${row.resellerId}/settings`,
    state: row.disabledAt !== null ? "disabled" : row.oneTimePasswordUntil !== null ? "invited" : "active",
    lastSignedInAt: row.lastSignedInAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    self: row.id === reader.userId,
  };
}
