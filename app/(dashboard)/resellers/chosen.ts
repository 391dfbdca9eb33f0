import type { ChosenReseller } from "#components/reseller/reseller-choice.tsx";
import { contextOf } from "#lib/dashboard/session.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { getReseller } from "#lib/services/reseller/get.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";

/** What an admin has filtered a list by. `resellerId`: as in the address, which may name nobody. */
export async function findChosenReseller(
  user: SignedInUser,
  resellerId: number | null,
): Promise<ChosenReseller | null> {
  if (resellerId === null) return null;
  try {
    const { name } = await getReseller(contextOf(user, { forReseller: resellerId as ResellerId }));
    return { id: resellerId, name };
  } catch (error) {
    if (isDomainError(error) && error.code === "not_found") return { id: resellerId, name: null };
    throw error;
  }
}
