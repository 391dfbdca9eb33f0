/** Hands messages to a mail server. */
export interface MailSender {
  /** One attempt within a minute. Never throws. */
  send(message: OutgoingMail): Promise<MailReply>;
  /** Connects and signs in, and sends nothing. Returns what fails, or null. */
  check(): Promise<string | null>;
}

export interface OutgoingMail {
  /** Without angle brackets; the same in every attempt. */
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where one POST ends messages of this kind (RFC 8058); null if they cannot be switched off. */
  readonly unsubscribeUrl: string | null;
}

export type MailReply =
  /** The server has taken responsibility for it. */
  | { readonly kind: "accepted" }
  /** The server will never accept it for this recipient. */
  | { readonly kind: "refused"; readonly error: string }
  /** Not accepted, or not known whether. */
  | { readonly kind: "failed"; readonly error: string };
