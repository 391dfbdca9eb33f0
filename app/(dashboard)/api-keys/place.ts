import { notFound } from "next/navigation";
import { contextOf, requireAdminUser, requireResellerUser } from "#lib/dashboard/session.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { getReseller } from "#lib/services/reseller/get.ts";

/** Whose keys a page shows: a reseller's user its own, an admin those of a reseller. */
export interface KeyPlace {
  readonly ctx: ServiceContext;
  /** The list's address; its other pages are below it. */
  readonly path: string;
  /** The way down to the list. */
  readonly trail: readonly { readonly label: string; readonly href: string }[];
  /** The reseller that an admin looks at; null: the reader's own. */
  readonly resellerId: number | null;
}

export async function requireOwnPlace(): Promise<KeyPlace> {
  return { ctx: contextOf(await requireResellerUser()), path: "/api-keys", trail: [], resellerId: null };
}

/** @param id as in the address; what is no reseller is not found */
export async function requireResellerPlace(id: string): Promise<KeyPlace> {
  const user = await requireAdminUser();
  const resellerId = parsePositiveInteger(id) as ResellerId | null;
  if (resellerId === null) notFound();
  const ctx = contextOf(user, { forReseller: resellerId });
  const href = `/resellers/${resellerId}`;
  const { name } = await getReseller(ctx).catch((error: unknown) => {
    if (isDomainError(error) && error.code === "not_found") notFound();
    throw error;
  });
  const trail = [
    { label: "Resellers", href: "/resellers" },
    { label: name, href },
  ];
  return { ctx, path: `${href}/api-keys`, trail, resellerId };
}
