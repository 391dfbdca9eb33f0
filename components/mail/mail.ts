import type { retry, showLink } from "#app/(dashboard)/outbox/actions.ts";

export const mailStates = ["pending", "sent", "failed"] as const;
export type MailState = (typeof mailStates)[number];

export interface MailActions {
  readonly retry: typeof retry;
  readonly showLink: typeof showLink;
}
