import type { OperationRow } from "#lib/db/operation/operation.ts";
import type { LicenseRow } from "#lib/services/license/get.ts";
import type { BundleInstance } from "./get.ts";

/** The operation's members in the order of its plan; the bundle's order can change later. */
export function plannedMembers({ plan }: OperationRow, { members }: BundleInstance): readonly LicenseRow[] {
  const byKey = new Map(members.map((member) => [member.key as string, member]));
  return plan.onSuccess.licenses.map(({ key }) => {
    const member = byKey.get(key);
    if (!member) throw new Error("a member of a planned operation is missing");
    return member;
  });
}
