"use client";
import { Ban, KeyRound, UserCheck } from "lucide-react";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { MenuItem } from "#components/ui/menu-item.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { PasswordShownOnce } from "./create-user.tsx";
import type { PasswordShown, UserActions, UserLine, UserRef } from "./user.ts";

export interface UserMenuProps {
  readonly user: UserLine;
  readonly actions: Omit<UserActions, "create">;
}

/** What can be done to a user; nobody does it to themselves. */
export function UserRowMenu({ user, actions }: UserMenuProps) {
  const [asked, setAsked] = useState<"reset" | "disable" | "enable" | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <DropdownMenu label={`Actions for ${user.name}`}>
        {user.state === "disabled" ? (
          <MenuItem icon={<UserCheck aria-hidden />} onSelect={() => setAsked("enable")}>
            Enable
          </MenuItem>
        ) : (
          <>
            <MenuItem icon={<KeyRound aria-hidden />} onSelect={() => setAsked("reset")}>
              Reset password
            </MenuItem>
            <MenuItem icon={<Ban aria-hidden />} onSelect={() => setAsked("disable")} tone="critical">
              Disable
            </MenuItem>
          </>
        )}
      </DropdownMenu>
      {asked === "reset" && <ResetDialog action={actions.resetPassword} onClose={close} user={user} />}
      {asked === "disable" && (
        <ChangeDialog
          action={actions.disable}
          confirmLabel="Disable"
          description={`${user.name} is signed out everywhere at once, and cannot sign in again. What they did stays as it is.`}
          doneTitle={`${user.name} is disabled`}
          onClose={close}
          refusalNote="They can sign in as before."
          title={`Disable ${user.name}?`}
          tone="critical"
          user={user}
        />
      )}
      {asked === "enable" && (
        <ChangeDialog
          action={actions.enable}
          confirmLabel="Enable"
          description="They can sign in again, with the password that they had."
          doneTitle={`${user.name} is enabled`}
          onClose={close}
          refusalNote="They still cannot sign in."
          title={`Enable ${user.name}?`}
          user={user}
        />
      )}
    </>
  );
}

interface ChangeDialogProps {
  readonly user: UserLine;
  readonly action: UserActions["disable"];
  readonly title: string;
  readonly description: string;
  readonly confirmLabel: string;
  readonly doneTitle: string;
  readonly refusalNote: string;
  readonly tone?: "critical";
  readonly onClose: () => void;
}

function ChangeDialog({ user, action, doneTitle, refusalNote, onClose, ...dialog }: ChangeDialogProps) {
  const { pending, failure, send } = useSubmission<UserRef, unknown>(action, () => {
    onClose();
    toast({ title: doneTitle, tone: "positive" });
  });
  return (
    <ConfirmDialog
      {...dialog}
      onClose={onClose}
      onConfirm={() => void send({ user_id: user.id })}
      open
      pending={pending}
    >
      {failure && <SubmissionError failure={failure} refusalNote={refusalNote} />}
    </ConfirmDialog>
  );
}

interface ResetDialogProps {
  readonly user: UserLine;
  readonly action: UserActions["resetPassword"];
  readonly onClose: () => void;
}

function ResetDialog({ user, action, onClose }: ResetDialogProps) {
  const [shown, setShown] = useState<PasswordShown | null>(null);
  const { pending, failure, send } = useSubmission(action, setShown);
  if (shown !== null)
    return <PasswordShownOnce onLeave={onClose} shown={shown} title={`A password for ${user.name}`} />;
  return (
    <ConfirmDialog
      confirmLabel="Reset password"
      description="You get a password for one sign-in, to hand over. The old one ends, and they are signed out everywhere."
      onClose={onClose}
      onConfirm={() => void send({ user_id: user.id })}
      open
      pending={pending}
      title={`Reset the password of ${user.name}?`}
    >
      {failure && <SubmissionError failure={failure} refusalNote="Their password is the same as before." />}
    </ConfirmDialog>
  );
}
