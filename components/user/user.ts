import type { OnceAction } from "#lib/domain/action-result.ts";
import type { ListedUser } from "#lib/services/user/list.ts";

/** They were invited, and have never signed in. */
export function isInvited({ oneTimePasswordUntil, lastSignedInAt }: ListedUser): boolean {
  return oneTimePasswordUntil !== null && lastSignedInAt === null;
}

export interface NewUserInput {
  readonly name: string;
  readonly email: string;
  readonly role: string;
}

/** The one look at a password for one sign-in; null: the answer that carried it never arrived. */
export interface PasswordShown {
  readonly email: string;
  readonly oneTimePassword: string | null;
}

/** A new user's invitation. `invitationUrl` null although it is not mailed: the answer that carried it never arrived. */
export interface Invited {
  readonly email: string;
  readonly isMailed: boolean;
  readonly invitationUrl: string | null;
}

export interface UserRef {
  readonly user_id: number;
}

export interface RoleInput extends UserRef {
  readonly role: string;
}

export interface DisabledInput extends UserRef {
  readonly disabled: boolean;
}

export interface UserActions {
  readonly create: OnceAction<NewUserInput, Invited>;
  readonly inviteAgain: OnceAction<UserRef, Invited>;
  readonly setRole: OnceAction<RoleInput>;
  /** Null: only admins reset passwords. */
  readonly resetPassword: OnceAction<UserRef, PasswordShown> | null;
  /** Null: only admins remove them. */
  readonly removeFactors: OnceAction<UserRef> | null;
  readonly setDisabled: OnceAction<DisabledInput>;
}
