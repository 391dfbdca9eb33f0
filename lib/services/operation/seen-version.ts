import { DomainError } from "#lib/domain/errors.ts";
import type { ServiceContext } from "#lib/services/context.ts";

type Versioned = readonly { readonly version: string }[];

/** Of a license, or of a bundle's members in their order: another one after every change. */
export function versionOf(licenses: Versioned): string {
  return licenses.map(({ version }) => version).join(".");
}

/**
 * @param what the subject of the message; the license or bundle unless told
 * @throws DomainError `changed_meanwhile` when the caller decided by something that is not so any more.
 */
export function requireSeenVersion(ctx: ServiceContext, licenses: Versioned, what?: string): void {
  const { seenVersion = null } = ctx;
  if (seenVersion !== null && seenVersion !== versionOf(licenses)) throw changedMeanwhile(licenses, what);
}

export function changedMeanwhile(
  licenses: Versioned,
  what = licenses.length > 1 ? "This bundle" : "This license",
): DomainError {
  return new DomainError("changed_meanwhile", `${what} has changed since you opened this page.`);
}
