"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { AddPasskeyDialog } from "./add-passkey-dialog.tsx";
import { RecoveryCodesShownOnce } from "./recovery-codes.tsx";
import { SetUpTotpDialog } from "./set-up-totp-dialog.tsx";
import type { FactorActions, PasskeyActions, TotpSetup } from "./settings.ts";

export interface FirstFactorProps {
  readonly actions: Pick<FactorActions, "start" | "confirm">;
  readonly passkeyActions: Pick<PasskeyActions, "start" | "add">;
  readonly passkeysAllowed: boolean;
  /** The user has one by now. */
  readonly isDone: boolean;
}

/** Sets up the factor that a user must have before anything else. */
export function FirstFactor({ actions, passkeyActions, passkeysAllowed, isDone }: FirstFactorProps) {
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const [addsPasskey, setAddsPasskey] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const { pending, failure, send } = useSubmission(actions.start, setSetup);
  const close = () => {
    setSetup(null);
    setAddsPasskey(false);
  };
  const finish = (shown: readonly string[]) => {
    close();
    setCodes(shown);
  };
  return (
    <div className="flex flex-col gap-3">
      {failure && <SubmissionError failure={failure} />}
      {isDone ? (
        <ButtonLink href="/" variant="primary">
          Continue
        </ButtonLink>
      ) : (
        <>
          {passkeysAllowed && (
            <Button onClick={() => setAddsPasskey(true)} variant="primary">
              Add a passkey
            </Button>
          )}
          <Button
            loading={pending}
            onClick={() => void send(undefined)}
            variant={passkeysAllowed ? "secondary" : "primary"}
          >
            Set up authenticator app
          </Button>
        </>
      )}
      {setup && <SetUpTotpDialog confirm={actions.confirm} onClose={close} onDone={finish} setup={setup} />}
      {addsPasskey && <AddPasskeyDialog actions={passkeyActions} onClose={close} onDone={finish} />}
      {codes.length > 0 && <RecoveryCodesShownOnce codes={codes} onLeave={() => setCodes([])} />}
    </div>
  );
}
