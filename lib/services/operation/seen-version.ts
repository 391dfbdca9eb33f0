import { DomainError } from "#lib/domain/errors.ts";
import type { ServiceContext } from "#lib/services/context.ts";

type Versioned = readonly { readonly version: string }[];

/** Combined version of rows in order, such as a bundle's members; changes when any of them does. */
export function versionOf(rows: Versioned): string {
  return rows.map(({ version }) => version).join(".");
}

/**
 * @param what subject of the message; default: the license or bundle
 * @throws DomainError `changed_meanwhile` if the rows have changed since the caller saw them.
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
