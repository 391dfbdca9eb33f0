"use client";
import { Plus } from "lucide-react";
import { ConfirmReveal } from "#components/form/confirm-form.tsx";
import { ShownOnce } from "#components/form/shown-once.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { TextField } from "#components/ui/field.tsx";
import { InvitationReveal } from "./invitation-reveal.tsx";
import { RoleField } from "./role-field.tsx";
import type { Invited, PasswordShown, UserActions } from "./user.ts";

export interface CreateUserProps {
  readonly create: UserActions["create"];
  readonly kind: "admin" | "reseller";
  /** The first user is an owner: there is no role to choose. */
  readonly first?: boolean;
  /** For whom they sign in. */
  readonly description?: string;
  readonly label: string;
}

/** A button, the form that adds a user, and their invitation. */
export function CreateUser({ create, kind, first = false, description, label }: CreateUserProps) {
  return (
    <DialogButton icon={<Plus className="size-4" />} label={label} variant="primary">
      {(onClose) => (
        <ConfirmReveal
          action={create}
          confirmLabel="Invite"
          description={description}
          onClose={onClose}
          refusalNote="No one was added."
          reveal={(invited) => <InvitationShownOnce invited={invited} onLeave={onClose} />}
          size="md"
          title={label}
        >
          <TextField data-autofocus label="Name" name="name" />
          <TextField
            hint="They sign in with it, and the invitation goes there."
            label="Email"
            name="email"
            type="email"
          />
          {first ? (
            <input name="role" type="hidden" value="owner" />
          ) : (
            <RoleField initial={kind === "admin" ? "support" : "viewer"} kind={kind} />
          )}
        </ConfirmReveal>
      )}
    </DialogButton>
  );
}

export interface InvitationShownOnceProps {
  readonly invited: Invited;
  readonly onLeave: () => void;
}

export function InvitationShownOnce({ invited, onLeave }: InvitationShownOnceProps) {
  return (
    <ShownOnce leaveLabel="Done" onLeave={onLeave} title="User invited">
      <InvitationReveal {...invited} />
    </ShownOnce>
  );
}

export interface PasswordShownOnceProps {
  readonly shown: PasswordShown;
  readonly title: string;
  readonly onLeave: () => void;
}

export function PasswordShownOnce({ shown, title, onLeave }: PasswordShownOnceProps) {
  return (
    <ShownOnce leaveLabel={shown.oneTimePassword === null ? "Close" : "Done"} onLeave={onLeave} title={title}>
      <PasswordReveal {...shown} />
    </ShownOnce>
  );
}

/** The one look at a password for one sign-in. */
function PasswordReveal({ email, oneTimePassword }: PasswordShown) {
  if (oneTimePassword === null) {
    return (
      <Banner title="The response with the password was lost" tone="caution">
        The password was set, but no one has seen it and it cannot be shown again. An administrator can set another one
        with “Reset password”.
      </Banner>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <CopyText copyLabel="Copy email" label="Email" value={email} />
      <CopyText copyLabel="Copy one-time password" label="One-time password" primary value={oneTimePassword} />
      <Banner title="Copy it now: it is not shown again" tone="caution">
        Share both over a channel that you trust. The password works for 7 days; at the first sign-in they choose their
        own.
      </Banner>
    </div>
  );
}
