/** Told when the provider's answer is not clear yet. */
export const unconfirmed = {
  title: "Not confirmed yet",
  description: "The provider has not answered. We ask again until the answer is clear.",
} as const;

/** Of a suspended license whose term has ended. */
export const staysExpired = "Its term has ended: it stays expired until it is renewed.";
