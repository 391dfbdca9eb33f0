import { DomainError } from "#lib/domain/errors.ts";

/** A bundle has one provider, as its members change in one operation. */
export function memberProvider(members: readonly { readonly provider: string }[]): string {
  const [first, ...others] = new Set(members.map(({ provider }) => provider));
  if (first === undefined || others.length > 0) {
    throw new DomainError("state_invalid", "The members of this bundle have different providers.");
  }
  return first;
}
