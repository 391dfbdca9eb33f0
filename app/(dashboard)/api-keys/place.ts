import { type LookedAtReseller, requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { contextOf, may, refuse, requireAdminUser, requireResellerUser } from "#lib/dashboard/session.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** Whose keys a page shows: a reseller's user its own, an admin those of a reseller. */
export interface KeyPlace {
  readonly ctx: ServiceContext;
  /** The list's address; its other pages are below it. */
  readonly path: string;
  /** The way down to the list. */
  readonly trail: readonly { readonly label: string; readonly href: string }[];
  /** The reseller that an admin looks at; null: the reader's own. */
  readonly looked: LookedAtReseller | null;
}

type KeyPermission = "keys:read" | "keys:write";

export async function requireOwnPlace(permission: KeyPermission = "keys:read"): Promise<KeyPlace> {
  return { ctx: contextOf(await requireResellerUser(permission)), path: "/api-keys", trail: [], looked: null };
}

/** @param id as in the address; what is no reseller is not found */
export async function requireResellerPlace(id: string, permission: KeyPermission = "keys:read"): Promise<KeyPlace> {
  const user = await requireAdminUser("admin:read");
  if (!may(user, permission)) await refuse(user, permission);
  const looked = await requireReseller(id);
  const { ctx, reseller, path } = looked;
  const trail = [
    { label: "Resellers", href: "/resellers" },
    { label: reseller.name, href: path },
  ];
  return { ctx, path: `${path}/api-keys`, trail, looked };
}
