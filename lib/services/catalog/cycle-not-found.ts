import { DomainError } from "#lib/domain/errors.ts";

/** Also for another product's cycle, a retired one, and one without a price in the reseller's currency. */
export function cycleNotFound(of: "product" | "bundle"): DomainError {
  return new DomainError("cycle_not_found", `This ${of} is not sold with this cycle_id.`, {
    details: { cycle_id: `is none of the ${of}'s cycles in the operation ${of}s` },
  });
}
