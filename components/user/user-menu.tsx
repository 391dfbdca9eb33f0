"use client";
import { Ban, KeyRound, Send, ShieldOff, UserCheck, UserCog } from "lucide-react";
import { useState } from "react";
import { ConfirmChange, ConfirmReveal } from "#components/form/confirm-form.tsx";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { MenuItem } from "#components/ui/menu-item.tsx";
import type { ListedUser } from "#lib/services/user/list.ts";
import { InvitationShownOnce, PasswordShownOnce } from "./create-user.tsx";
import { RoleField } from "./role-field.tsx";
import { isInvited, type UserActions } from "./user.ts";

export interface UserMenuProps {
  readonly user: ListedUser;
  readonly actions: Omit<UserActions, "create">;
}

/** What can be done to a user; nobody does it to themselves. */
export function UserRowMenu({ user, actions }: UserMenuProps) {
  const [asked, setAsked] = useState<"role" | "invite" | "reset" | "factors" | "disable" | "enable" | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <DropdownMenu label={`Actions for ${user.name}`}>
        {user.disabledAt !== null ? (
          <MenuItem icon={<UserCheck />} onSelect={() => setAsked("enable")}>
            Enable
          </MenuItem>
        ) : (
          <>
            {isInvited(user) && (
              <MenuItem icon={<Send />} onSelect={() => setAsked("invite")}>
                Invite again
              </MenuItem>
            )}
            {actions.resetPassword !== null && (
              <MenuItem icon={<KeyRound />} onSelect={() => setAsked("reset")}>
                Reset password
              </MenuItem>
            )}
            {actions.removeFactors !== null && user.factors !== null && user.factors.length > 0 && (
              <MenuItem icon={<ShieldOff />} onSelect={() => setAsked("factors")}>
                Remove second factor
              </MenuItem>
            )}
            <MenuItem icon={<UserCog />} onSelect={() => setAsked("role")}>
              Change role
            </MenuItem>
            <MenuItem icon={<Ban />} onSelect={() => setAsked("disable")} tone="critical">
              Disable
            </MenuItem>
          </>
        )}
      </DropdownMenu>
      {asked === "role" && (
        <ConfirmChange
          action={actions.setRole}
          confirmLabel="Change role"
          description="Takes effect with the next page they open or button they press."
          done={`The role of ${user.name} is changed`}
          input={{ user_id: user.id }}
          onClose={close}
          refusalNote="They have the same role as before."
          size="md"
          title={`Change the role of ${user.name}`}
        >
          <RoleField initial={user.role} kind={user.resellerId === null ? "admin" : "reseller"} />
        </ConfirmChange>
      )}
      {asked === "invite" && (
        <ConfirmReveal
          action={actions.inviteAgain}
          confirmLabel="Invite again"
          description={`${user.email} gets a new link to choose a password. Earlier links no longer work.`}
          input={{ user_id: user.id }}
          onClose={close}
          refusalNote="Earlier links are as before."
          reveal={(invited) => <InvitationShownOnce invited={invited} onLeave={close} />}
          title={`Invite ${user.name} again?`}
        />
      )}
      {asked === "reset" && actions.resetPassword !== null && (
        <ConfirmReveal
          action={actions.resetPassword}
          confirmLabel="Reset password"
          description="You get a password for one sign-in, to hand over. The old one ends, and they are signed out everywhere."
          input={{ user_id: user.id }}
          onClose={close}
          refusalNote="Their password is the same as before."
          reveal={(shown) => <PasswordShownOnce onLeave={close} shown={shown} title={`A password for ${user.name}`} />}
          title={`Reset the password of ${user.name}?`}
        />
      )}
      {asked === "factors" && actions.removeFactors !== null && (
        <ConfirmChange
          action={actions.removeFactors}
          confirmLabel="Remove second factor"
          description="Verify their identity first. Their passkeys, authenticator app and recovery codes are removed, and they are signed out everywhere. Their password alone then signs them in. They get an email about it."
          done={`${user.name} has no second factor`}
          input={{ user_id: user.id }}
          onClose={close}
          refusalNote="They have the same second factor as before."
          title={`Remove the second factor of ${user.name}?`}
          tone="critical"
        />
      )}
      {asked === "disable" && (
        <ConfirmChange
          action={actions.setDisabled}
          confirmLabel="Disable"
          description={`${user.name} is signed out everywhere at once, and cannot sign in again. Their past changes stay as they are.`}
          done={`${user.name} is disabled`}
          input={{ user_id: user.id, disabled: true }}
          onClose={close}
          refusalNote="They can sign in as before."
          title={`Disable ${user.name}?`}
          tone="critical"
        />
      )}
      {asked === "enable" && (
        <ConfirmChange
          action={actions.setDisabled}
          confirmLabel="Enable"
          description="They can sign in again, with the password that they had."
          done={`${user.name} is enabled`}
          input={{ user_id: user.id, disabled: false }}
          onClose={close}
          refusalNote="They still cannot sign in."
          title={`Enable ${user.name}?`}
        />
      )}
    </>
  );
}
