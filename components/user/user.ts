import type { OnceAction } from "#lib/domain/action-result.ts";

/** Somebody who may sign in, or could. */
export interface UserLine {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** "Administration", or the reseller. */
  readonly organization: string;
  readonly organizationHref: string | null;
  readonly state: "active" | "invited" | "disabled";
  /** ISO 8601, UTC. */
  readonly lastSignedInAt: string | null;
  readonly createdAt: string;
  /** The reader. */
  readonly self: boolean;
}

export interface NewUserInput {
  readonly name: string;
  readonly email: string;
}

/** The one look at a password for one sign-in; null: the answer that carried it never arrived. */
export interface PasswordShown {
  readonly email: string;
  readonly oneTimePassword: string | null;
}

export interface UserRef {
  readonly user_id: number;
}

export interface UserActions {
  readonly create: OnceAction<NewUserInput, PasswordShown>;
  readonly resetPassword: OnceAction<UserRef, PasswordShown>;
  readonly disable: OnceAction<UserRef>;
  readonly enable: OnceAction<UserRef>;
}
