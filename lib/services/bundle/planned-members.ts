import type { OperationRow } from "#lib/db/operation/operation.ts";
import { readPlan } from "#lib/domain/operation-plan.ts";
import type { LicenseRow } from "#lib/services/license/get.ts";

/** The operation's members in the order of its plan; the bundle's order can change later. */
export function plannedMembers(operation: OperationRow, members: readonly LicenseRow[]): readonly LicenseRow[] {
  const byKey = new Map(members.map((member) => [member.key as string, member]));
  return readPlan(operation).onSuccess.licenses.map(({ key }) => {
    const member = byKey.get(key);
    if (!member) throw new Error("a member of a planned operation is missing");
    return member;
  });
}
