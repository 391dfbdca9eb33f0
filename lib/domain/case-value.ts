import type { CaseCircumstances } from "./case-offer.ts";
import type { CaseFacts, CaseValue } from "./reconciliation.ts";

type Worth = { readonly what: CaseValue["what"]; readonly amount: bigint };

/**
 * What a case is worth, in minor units: what is held, what was paid and is not provided, or what is provided and not paid.
 * A license that cannot be used as it was paid for is worth all that was paid for its present term.
 * @param listPrice of the product that the provider holds, where nothing of ours has the license's name
 */
export function valueOfCase(of: CaseCircumstances, listPrice: bigint | null): Worth | null {
  switch (of.kind) {
    case "unknown_outcome":
      return { what: "held", amount: of.price > 0n ? of.price : 0n };
    case "charged_not_provisioned":
      return { what: "unprovided", amount: of.paid };
    case "provisioned_not_charged":
      return { what: "unpaid", amount: of.due };
    case "unknown_at_ours":
      return listPrice === null ? null : { what: "unpaid", amount: listPrice };
    case "late_success":
      if (of.operationKind === "license_terminate") return { what: "unprovided", amount: of.paid };
      return of.price < 0n ? { what: "unprovided", amount: -of.price } : { what: "unpaid", amount: of.price };
    case "differs":
      return valueOfDifference(of);
    default:
      return of.kind satisfies never;
  }
}

function valueOfDifference({ facts, paid, unprovided, corePrice, unpaid }: CaseCircumstances): Worth {
  const lacking = unprovided + (corePrice !== null && corePrice < 0n ? -corePrice : 0n);
  const missing = isUnusable(facts) && paid > lacking ? paid : lacking;
  if (unpaid !== null && unpaid > missing) return { what: "unpaid", amount: unpaid };
  return { what: "unprovided", amount: missing };
}

/** Another product, another address, or suspended there alone. */
function isUnusable({ ours, differing }: Pick<CaseFacts, "ours" | "differing">): boolean {
  return (
    differing.includes("product") ||
    differing.includes("address") ||
    (differing.includes("state") && ours?.state === "active")
  );
}
