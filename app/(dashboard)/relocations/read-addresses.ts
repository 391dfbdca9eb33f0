import { type LicenseAddress, parseLicenseAddress } from "#lib/domain/license-address.ts";

export interface AskedAddresses {
  /** As typed. */
  readonly from: string;
  readonly to: string;
  readonly problems: { readonly from: string | null; readonly to: string | null };
  /** Both, when a dry run can be made. */
  readonly addresses: { readonly from: LicenseAddress; readonly to: LicenseAddress } | null;
}

const MALFORMED = "Enter an IPv4 address such as 203.0.113.7.";

/** What the page's address asks for; one address alone is a form that is half filled in, not a mistake. */
export function readAddresses(from: string | null, to: string | null): AskedAddresses {
  const [old, target] = [from, to].map((text) => (text === null ? null : parseLicenseAddress(text)));
  const same = old != null && old === target;
  const problems = {
    from: from !== null && old === null ? MALFORMED : null,
    to: to !== null && target === null ? MALFORMED : same ? "Enter another address than the old one." : null,
  };
  const addresses = old && target && !same ? { from: old, to: target } : null;
  return { from: from ?? "", to: to ?? "", problems, addresses };
}
