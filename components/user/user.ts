import type {
  create,
  inviteAgain,
  removeFactors,
  resetPassword,
  setDisabled,
  setRole,
} from "#app/(dashboard)/users/actions.ts";
import type { Bound } from "#lib/domain/action-result.ts";
import type { ListedUser } from "#lib/services/user/list.ts";

/** They were invited, and have never signed in. */
export function isInvited({ oneTimePasswordUntil, lastSignedInAt }: ListedUser): boolean {
  return oneTimePasswordUntil !== null && lastSignedInAt === null;
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

export interface UserActions {
  readonly create: Bound<typeof create>;
  readonly inviteAgain: Bound<typeof inviteAgain>;
  readonly setRole: Bound<typeof setRole>;
  /** Null: only admins reset passwords. */
  readonly resetPassword: Bound<typeof resetPassword> | null;
  /** Null: only admins remove them. */
  readonly removeFactors: Bound<typeof removeFactors> | null;
  readonly setDisabled: Bound<typeof setDisabled>;
}
