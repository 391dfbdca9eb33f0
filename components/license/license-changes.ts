import type { LicenseChanged } from "./license-details.ts";

/** What a change of cores would cost now. Money: minor units of `currency`, as decimal text. */
export interface CoreQuote {
  readonly cores: number;
  /** Negative for a credit. */
  readonly price: string;
  readonly currency: string;
  /** By how much each renewal then costs more; negative: less. */
  readonly renewalChange: string;
  /** Null for a member of a bundle, which renews with it. */
  readonly renewalPrice: string | null;
}

export interface CoresChanged extends LicenseChanged {
  readonly cores: number;
  readonly balanceAfter: string;
  readonly currency: string;
}

/** Notes, and what the page was when they were written. */
export interface NotesInput {
  readonly notes: string;
  readonly seenVersion: string;
}

/** Told when the provider's answer is not clear yet. */
export const unconfirmed = {
  title: "Not confirmed yet",
  description: "The provider has not answered. It is asked again until the answer is clear.",
} as const;
