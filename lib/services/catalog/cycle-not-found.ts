import { DomainError } from "#lib/domain/errors.ts";

/** Also for another product's cycle, a retired one, and one without a price in the reseller's currency. */
export function cycleNotFound(of: "product" | "bundle"): DomainError {
  return new DomainError("cycle_not_found", `This ${of} is not sold for this billing cycle.`, {
    details: { cycle_id: `is not one of the ${of}'s billing cycles on sale` },
  });
}
