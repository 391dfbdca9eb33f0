import type { Invited } from "#components/user/user.ts";

export interface NewResellerInput {
  readonly name: string;
  readonly currency: string;
  readonly person: string;
  readonly email: string;
  readonly notes: string;
}

/** With the invitation of its first user. */
export interface ResellerCreated extends Invited {
  readonly href: string;
}
