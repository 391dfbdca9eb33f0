import type { ResellerId } from "#lib/domain/ids.ts";
import { create, inviteAgain, removeFactors, resetPassword, setDisabled, setRole } from "./actions.ts";

/** What can be done with users. `resellerId`: the reseller that an admin looks at. */
export function userActionsFor(resellerId: ResellerId | null) {
  const bound = { resellerId };
  return {
    create: create.bind(null, bound),
    inviteAgain: inviteAgain.bind(null, bound),
    setRole: setRole.bind(null, bound),
    resetPassword: resetPassword.bind(null, bound),
    removeFactors: removeFactors.bind(null, bound),
    setDisabled: setDisabled.bind(null, bound),
  };
}
