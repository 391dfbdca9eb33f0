import type { CatalogBundle, CatalogCycle, MemberProduct } from "#lib/db/catalog/admin.ts";
import { findMemberProblem, findTermProblem } from "#lib/domain/catalog.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";

/** @throws DomainError `parameters_invalid`, on the field `members` */
export function requireMembers(members: readonly MemberProduct[], cycles: readonly CatalogCycle[]): void {
  const problem = findMemberProblem(members) ?? findCycleProblem(members, cycles);
  if (problem !== null) throw malformed("members", problem);
}

/** @throws DomainError `state_invalid` if the bundle cannot be sold for these cycles */
export function requireSellable({ members }: CatalogBundle, cycles: readonly CatalogCycle[]): void {
  const problem = findMemberProblem(members);
  const cycleProblem = problem === null ? findCycleProblem(members, cycles) : null;
  if (problem !== null) throw new DomainError("state_invalid", `Its members ${problem}.`);
  if (cycleProblem !== null) throw new DomainError("state_invalid", `${cycleProblem}.`);
}

function findCycleProblem(members: readonly MemberProduct[], cycles: readonly CatalogCycle[]): string | null {
  for (const { months, prices } of cycles.filter((cycle) => !cycle.retired)) {
    for (const currency of prices.length === 0 ? [null] : prices.map((price) => price.currency)) {
      const problem = findTermProblem(members, months, currency);
      if (problem !== null) return problem;
    }
  }
  return null;
}
