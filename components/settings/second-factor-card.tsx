"use client";
import { useState } from "react";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { RECOVERY_CODE_COUNT } from "#lib/domain/recovery-code.ts";
import { RecoveryCodesShownOnce, ReplaceCodesDialog } from "./recovery-codes.tsx";
import { SetUpTotpDialog } from "./set-up-totp-dialog.tsx";
import type { FactorActions, TotpSetup } from "./settings.ts";

export interface SecondFactorCardProps {
  /** Null: no authenticator app. */
  readonly totpSince: Date | null;
  /** Unused ones. */
  readonly recoveryCodes: number;
  readonly actions: FactorActions;
}

type Step =
  | { readonly kind: "set_up"; readonly setup: TotpSetup }
  | { readonly kind: "codes"; readonly codes: readonly string[] }
  | { readonly kind: "remove" | "replace" };

/** The user's own second factor, and what replaces it when it is lost. */
export function SecondFactorCard({ totpSince, recoveryCodes, actions }: SecondFactorCardProps) {
  const [step, setStep] = useState<Step | null>(null);
  const { pending, failure, send } = useSubmission(actions.start, (setup) => setStep({ kind: "set_up", setup }));
  const close = () => setStep(null);
  const showCodes = (codes: readonly string[]) => setStep({ kind: "codes", codes });
  return (
    <Card
      actions={totpSince === null ? <Badge>Off</Badge> : <Badge tone="positive">On</Badge>}
      description="After your password, signing in also asks for a code from your phone. A stolen password is then not enough."
      title="Two-step sign-in"
    >
      {totpSince === null ? (
        <div className="flex flex-col items-start gap-4">
          {failure && <SubmissionError failure={failure} />}
          <Button loading={pending} onClick={() => void send(undefined)}>
            Set up authenticator app
          </Button>
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          <DescriptionList
            items={[
              { term: "Authenticator app", value: <>On since {<Timestamp format="date" value={totpSince} />}</> },
              { term: "Recovery codes", value: `${recoveryCodes} of ${RECOVERY_CODE_COUNT} left` },
            ]}
          />
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setStep({ kind: "replace" })}>Replace recovery codes</Button>
            <Button onClick={() => setStep({ kind: "remove" })} variant="ghost">
              Remove authenticator app
            </Button>
          </div>
        </div>
      )}
      {step?.kind === "set_up" && (
        <SetUpTotpDialog confirm={actions.confirm} onClose={close} onDone={showCodes} setup={step.setup} />
      )}
      {step?.kind === "codes" && <RecoveryCodesShownOnce codes={step.codes} onLeave={close} />}
      {step?.kind === "replace" && (
        <ReplaceCodesDialog action={actions.replaceCodes} onClose={close} onDone={showCodes} />
      )}
      {step?.kind === "remove" && (
        <ConfirmChange
          action={actions.remove}
          confirmLabel="Remove"
          description="Your password alone will be enough to sign in. The recovery codes end, and you are signed out everywhere else."
          done="Authenticator app removed"
          onClose={close}
          refusalNote="Signing in still asks for a code."
          title="Remove the authenticator app?"
          tone="critical"
        />
      )}
    </Card>
  );
}
