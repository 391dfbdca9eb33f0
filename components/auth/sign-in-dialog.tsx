"use client";
import { useState } from "react";
import { signInRequests } from "#components/form/send-signed-in.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { type OnceAction, requireValue } from "#lib/domain/action-result.ts";
import { SignInForm } from "./sign-in-form.tsx";

export interface SignInDialogProps {
  /** Whose page it is, and in which role. */
  readonly owner: string;
  readonly email: string;
  /** A server action: the same of whoever is signed in now. */
  readonly readOwner: OnceAction<undefined, string>;
}

/** Signs in where the user is. What was being sent goes on, but not for another user. */
export default function SignInDialog({ owner, email, readOwner }: SignInDialogProps) {
  const [isOther, setIsOther] = useState(false);

  async function goOn() {
    const now = await readOwner(undefined);
    // A user with a one-time password counts as signed out until they have chosen their own.
    if (now.ok ? now.value !== owner : now.error.code === "signed_out") return setIsOther(true);
    requireValue(now);
    signInRequests.settle(true);
  }

  if (isOther) {
    return (
      <Dialog
        description="This page belongs to another user, or to another role of yours. Nothing was sent, and nothing was changed. Load the page again to go on."
        dismissible={false}
        footer={
          <Button data-autofocus onClick={() => window.location.reload()} variant="primary">
            Load page again
          </Button>
        }
        key="other"
        onClose={() => {}}
        open
        title="Signed in as another user"
      />
    );
  }
  return (
    <Dialog
      description="Your session has ended. Sign in as the same user, and what you have filled in is sent."
      onClose={() => signInRequests.settle(false)}
      open
      size="sm"
      title="Sign in to continue"
    >
      <SignInForm email={email} onSignedIn={goOn} />
    </Dialog>
  );
}
