/** What a change of cores would cost now. Money: minor units of `currency`, as decimal text. */
export interface CoreQuote {
  readonly cores: number;
  /** Negative for a credit. Charged exactly if it is confirmed within a minute. */
  readonly price: string;
  readonly currency: string;
  /** By how much each renewal then costs more; negative: less. Null: the cycle has no price. */
  readonly renewalChange: string | null;
  /** Null for a member of a bundle, which renews with it, and without a price. */
  readonly renewalPrice: string | null;
}

/** Told when the provider's answer is not clear yet. */
export const unconfirmed = {
  title: "Not confirmed yet",
  description: "The provider has not answered. We ask again until the answer is clear.",
} as const;

/** Of a suspended license whose term has ended. */
export const staysExpired = "Its term has ended: it stays expired until it is renewed.";
