import type { CaseContext } from "./case-context.ts";
import type { CaseFacts, CaseValue } from "./reconciliation.ts";

type Worth = { readonly what: CaseValue["what"]; readonly amount: bigint };

/**
 * Value of a case in minor units: the hold, what was paid but not provided, or what was provided but not paid. An
 * unusable license is worth everything paid for its current term.
 * @param listPrice of the provider's product, for licenses unknown to us
 */
export function computeCaseValue(context: CaseContext, listPrice: bigint | null): Worth | null {
  switch (context.kind) {
    case "unknown_outcome":
      return { what: "held", amount: context.price > 0n ? context.price : 0n };
    case "charged_not_provisioned":
      return { what: "unprovided", amount: context.paid };
    case "provisioned_not_charged":
      return { what: "unpaid", amount: context.due };
    case "unknown_at_ours":
      return listPrice === null ? null : { what: "unpaid", amount: listPrice };
    case "late_success":
      if (context.operationKind === "license_terminate") return { what: "unprovided", amount: context.paid };
      return context.price < 0n
        ? { what: "unprovided", amount: -context.price }
        : { what: "unpaid", amount: context.price };
    case "differs":
      return computeDifferenceValue(context);
    default:
      return context.kind satisfies never;
  }
}

function computeDifferenceValue({ facts, paid, unprovided, corePrice, unpaid }: CaseContext): Worth {
  const lacking = unprovided + (corePrice !== null && corePrice < 0n ? -corePrice : 0n);
  const missing = isUnusable(facts) && paid > lacking ? paid : lacking;
  if (unpaid !== null && unpaid > missing) return { what: "unpaid", amount: unpaid };
  return { what: "unprovided", amount: missing };
}

/** Another product, another address, or suspended only at the provider. */
function isUnusable({ ours, differing }: Pick<CaseFacts, "ours" | "differing">): boolean {
  return (
    differing.includes("product") ||
    differing.includes("address") ||
    (differing.includes("state") && ours?.state === "active")
  );
}
