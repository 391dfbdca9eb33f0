import type { OnceAction } from "#lib/domain/action-result.ts";

export const mailStates = ["pending", "sent", "failed"] as const;
export type MailState = (typeof mailStates)[number];

export interface MailRef {
  readonly mail_id: string;
}

export interface MailActions {
  readonly retry: OnceAction<MailRef>;
  readonly showLink: OnceAction<MailRef, { readonly url: string | null }>;
}
