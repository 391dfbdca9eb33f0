import { DomainError } from "#lib/domain/errors.ts";
import type { ServiceContext } from "#lib/services/context.ts";

type Versioned = readonly { readonly version: string }[];

/**
 * Of a license, of a bundle's members in their order, or of anything else with a version: another one after every change.
 * Of nothing: empty.
 */
export function versionOf(rows: Versioned): string {
  return rows.map(({ version }) => version).join(".");
}

/**
 * @param what the subject of the message; the license or bundle unless told
 * @throws DomainError `changed_meanwhile` when the caller decided by something that is not so any more.
 */
export function requireSeenVersion(ctx: ServiceContext, rows: Versioned, what?: string): void {
  const { seenVersion = null } = ctx;
  if (seenVersion !== null && seenVersion !== versionOf(rows)) {
    throw changedMeanwhile(what ?? (rows.length > 1 ? "This bundle" : "This license"));
  }
}

export function changedMeanwhile(what: string): DomainError {
  return new DomainError("changed_meanwhile", `${what} has changed since you opened this page.`);
}
