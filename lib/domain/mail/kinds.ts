interface MailKindFacts {
  /** What the settings and the outbox call it. */
  readonly title: string;
  /** Who gets it, and can switch it off; null: the person whom it is about, always. */
  readonly readers: "reseller" | "admin" | null;
}

/** Kinds of messages. */
export const mailKinds = {
  invitation: { title: "Invitation", readers: null },
  password_reset: { title: "Forgotten password", readers: null },
  low_balance: { title: "Low balance", readers: "reseller" },
} as const satisfies Record<string, MailKindFacts>;

export type MailKind = keyof typeof mailKinds;

/** Whether a message carries a link that is a secret. */
export function hasSecretLink(kind: MailKind): boolean {
  return kind === "invitation" || kind === "password_reset";
}

/** Where a person sets a password. The token is in the fragment, which browsers send to no server. */
export function accessLinkUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/set-password#${token}`;
}
