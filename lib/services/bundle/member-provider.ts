import { DomainError } from "#lib/domain/errors.ts";

/** A bundle is provisioned by one provider: its members are one operation. */
export function memberProvider(members: readonly { readonly provider: string }[]): string {
  const [first, ...others] = new Set(members.map(({ provider }) => provider));
  if (first === undefined || others.length > 0) {
    throw new DomainError("state_invalid", "The members of this bundle are not provisioned by one provider.");
  }
  return first;
}
