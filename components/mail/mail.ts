import type { OnceAction } from "#lib/domain/action-result.ts";
import type { MailKind } from "#lib/domain/mail/kinds.ts";

export const mailStates = ["pending", "sent", "failed"] as const;
export type MailState = (typeof mailStates)[number];

/** One message of the outbox. */
export interface MailLine {
  readonly id: string;
  readonly kind: MailKind;
  readonly recipient: string;
  readonly userName: string;
  readonly state: MailState;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

export interface MailRef {
  readonly mail_id: string;
}

export interface MailActions {
  readonly retry: OnceAction<MailRef>;
  readonly showLink: OnceAction<MailRef, { readonly url: string | null }>;
}
