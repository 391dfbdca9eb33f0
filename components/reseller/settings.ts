import type { Invited } from "#components/user/user.ts";

/** With the invitation of its first user. */
export interface ResellerCreated extends Invited {
  readonly href: string;
}
