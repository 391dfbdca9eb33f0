"use client";
import { useCallback, useEffect, useState } from "react";
import { signInRequests } from "#components/form/send-signed-in.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { type OnceAction, requireValue } from "#lib/domain/action-result.ts";
import { SignInForm } from "./sign-in-form.tsx";

export interface SignInDialogProps {
  /** Whose page it is, and in which role. */
  readonly owner: string;
  readonly email: string;
  /** Whether they are possible here. */
  readonly passkeys: boolean;
  /** Its name; null: there is none. */
  readonly issuer: string | null;
  /** A server action: the same of whoever is signed in now. */
  readonly readOwner: OnceAction<undefined, string>;
  /** Another owner is signed in now. */
  readonly isOther: boolean;
}

/** Signs in where the user is. What was being sent goes on, but not for another user. */
export default function SignInDialog({ owner, email, passkeys, issuer, readOwner, isOther }: SignInDialogProps) {
  const [foundOther, setFoundOther] = useState(false);
  const mayBeDone = signInRequests.useMayBeDone();

  // A page of another owner also asks for this dialog: then there is somebody signed in.
  const look = useCallback(async () => {
    const now = await readOwner(undefined);
    if (!now.ok && now.error.code === "signed_out") return false;
    if (requireValue(now) === owner) signInRequests.settle(true);
    else setFoundOther(true);
    return true;
  }, [owner, readOwner]);

  // Also back from the tab of the issuer.
  useEffect(() => {
    const lookAgain = () => void look().catch(() => {});
    lookAgain();
    window.addEventListener("focus", lookAgain);
    return () => window.removeEventListener("focus", lookAgain);
  }, [look]);

  async function goOn() {
    // A user with a one-time password counts as signed out until they have chosen their own.
    if (!(await look())) setFoundOther(true);
  }

  if (isOther || foundOther) {
    // The switch in another tab may have come after something was sent.
    const unsent = mayBeDone
      ? "What was sent from it got no answer and may have been done."
      : isOther
        ? "Nothing more is sent from it."
        : "Nothing was sent, and nothing was changed.";
    return (
      <Dialog
        description={`This page belongs to another user, role or mode than you are in now. ${unsent} Reload the page to continue.`}
        dismissible={false}
        footer={
          <Button data-autofocus onClick={() => window.location.reload()} variant="primary">
            Load page again
          </Button>
        }
        key="other"
        onClose={() => {}}
        title="Your session has changed"
      />
    );
  }
  return (
    <Dialog
      description="Your session has ended. Sign in as the same user, and what you have filled in is sent."
      onClose={() => signInRequests.settle(false)}
      size="sm"
      title="Sign in to continue"
    >
      <SignInForm email={email} issuer={issuer} onSignedIn={goOn} passkeys={passkeys} />
    </Dialog>
  );
}
