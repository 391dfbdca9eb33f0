/** Who did what to whom, as the page shows it. */
export interface AuditLine {
  readonly id: string;
  readonly at: Date;
  /** A name, or `system:worker`. */
  readonly who: string;
  /** `user:7`, or `administrator`. */
  readonly actor: string;
  /** The log, of this actor alone; null for an administrator in a reseller's log. */
  readonly whoHref: string | null;
  readonly actingAs: string | null;
  /** Where the request came from; empty: not known, or an administrator's in a reseller's log. */
  readonly address: string;
  /** The log, of this address alone; null without one. */
  readonly addressHref: string | null;
  readonly what: string;
  /** `wallet.adjust`. */
  readonly action: string;
  /** What it was done to: "API key 3", and what that was called. */
  readonly subject: string;
  readonly subjectName: string;
  /** The log, of this subject alone. */
  readonly subjectHref: string;
  readonly reseller: { readonly name: string; readonly href: string } | null;
  readonly reason: string;
  readonly changes: readonly { readonly field: string; readonly before: string; readonly after: string }[];
  readonly facts: readonly { readonly term: string; readonly value: string }[];
  readonly requestId: string;
}
