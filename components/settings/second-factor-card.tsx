"use client";
import { useState } from "react";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { unrepeated } from "#components/form/send-signed-in.ts";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { DescriptionList } from "#components/ui/description-list.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { RECOVERY_CODE_COUNT } from "#lib/domain/recovery-code.ts";
import type { PasskeyRow } from "#lib/services/user/own-passkeys.ts";
import { AddPasskeyDialog } from "./add-passkey-dialog.tsx";
import { RecoveryCodesShownOnce } from "./recovery-codes.tsx";
import { SetUpTotpDialog } from "./set-up-totp-dialog.tsx";
import type { FactorActions, PasskeyActions, TotpSetup } from "./settings.ts";

export interface SecondFactorCardProps {
  /** Null: no authenticator app. */
  readonly totpSince: Date | null;
  /** Unused ones. */
  readonly recoveryCodes: number;
  readonly actions: FactorActions;
  readonly passkeys: readonly PasskeyRow[];
  readonly passkeyActions: PasskeyActions;
  /** Whether they are possible at this address. */
  readonly passkeysAllowed: boolean;
}

type Step =
  | { readonly kind: "set_up"; readonly setup: TotpSetup }
  | { readonly kind: "codes"; readonly codes: readonly string[] }
  | { readonly kind: "remove_passkey"; readonly passkey: PasskeyRow }
  | { readonly kind: "remove" | "replace" | "add_passkey" };

/** The user's own second factors, and what replaces them when they are lost. */
export function SecondFactorCard(props: SecondFactorCardProps) {
  const { totpSince, recoveryCodes, actions, passkeys, passkeyActions, passkeysAllowed } = props;
  const [step, setStep] = useState<Step | null>(null);
  const { pending, failure, send } = useSubmission(actions.start, (setup) => setStep({ kind: "set_up", setup }));
  const replaceCodes = unrepeated(actions.replaceCodes);
  const close = () => setStep(null);
  const showCodes = (codes: readonly string[]) => setStep(codes.length > 0 ? { kind: "codes", codes } : null);
  const isOn = totpSince !== null || passkeys.length > 0;
  return (
    <Card
      badge={isOn ? <Badge tone="positive">On</Badge> : <Badge>Off</Badge>}
      description={`After your password, signing in also asks for ${passkeysAllowed ? "a passkey or " : ""}a code from your phone. A stolen password is then not enough.`}
      title="Two-step sign-in"
    >
      <div className="flex flex-col gap-4">
        {isOn && (
          <DescriptionList
            items={[
              {
                term: "Authenticator app",
                value:
                  totpSince === null ? (
                    "None"
                  ) : (
                    <span>
                      On since <Timestamp format="date" value={totpSince} />
                    </span>
                  ),
              },
              { term: "Recovery codes", value: `${recoveryCodes} of ${RECOVERY_CODE_COUNT} left` },
            ]}
          />
        )}
        <PasskeyList onRemove={(passkey) => setStep({ kind: "remove_passkey", passkey })} passkeys={passkeys} />
        {failure && <SubmissionError failure={failure} />}
        <div className="flex flex-wrap gap-2">
          {passkeysAllowed && <Button onClick={() => setStep({ kind: "add_passkey" })}>Add a passkey</Button>}
          {totpSince === null && (
            <Button loading={pending} onClick={() => void send(undefined)}>
              Set up authenticator app
            </Button>
          )}
          {isOn && <Button onClick={() => setStep({ kind: "replace" })}>Replace recovery codes</Button>}
          {totpSince !== null && (
            <Button onClick={() => setStep({ kind: "remove" })} variant="critical-quiet">
              Remove authenticator app
            </Button>
          )}
        </div>
      </div>
      {step?.kind === "set_up" && (
        <SetUpTotpDialog confirm={actions.confirm} onClose={close} onDone={showCodes} setup={step.setup} />
      )}
      {step?.kind === "add_passkey" && <AddPasskeyDialog actions={passkeyActions} onClose={close} onDone={showCodes} />}
      {step?.kind === "remove_passkey" && (
        <ConfirmChange
          action={unrepeated(passkeyActions.remove)}
          confirmLabel="Remove"
          description="It no longer signs you in here. You are signed out everywhere else. Your device keeps it until you delete it there."
          done="Passkey removed"
          input={{ passkey_id: step.passkey.id }}
          onClose={close}
          refusalNote="The passkey still works."
          title={`Remove the passkey ${step.passkey.name}?`}
          tone="critical"
        />
      )}
      {step?.kind === "codes" && <RecoveryCodesShownOnce codes={step.codes} onLeave={close} />}
      {step?.kind === "replace" && (
        <ConfirmChange
          action={replaceCodes}
          confirmLabel="Replace"
          description="You get ten new codes. The old ones stop working."
          done={(replaced) => showCodes(replaced.recoveryCodes)}
          onClose={close}
          refusalNote="The old codes still work."
          title="Replace the recovery codes?"
        />
      )}
      {step?.kind === "remove" && (
        <ConfirmChange
          action={unrepeated(actions.remove)}
          confirmLabel="Remove"
          description="Its codes no longer sign you in, and you are signed out everywhere else. Without a passkey, your password alone is enough to sign in, and the recovery codes end."
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

interface PasskeyListProps {
  readonly passkeys: readonly PasskeyRow[];
  readonly onRemove: (passkey: PasskeyRow) => void;
}

function PasskeyList({ passkeys, onRemove }: PasskeyListProps) {
  if (passkeys.length === 0) return null;
  return (
    <ul aria-label="Passkeys" className="divide-y border-y">
      {passkeys.map((passkey) => (
        <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm" key={passkey.id}>
          <div className="min-w-0 flex-1">
            <p className="wrap-anywhere font-medium">{passkey.name}</p>
            <p className="text-text-muted">
              Passkey, added <Timestamp format="date" value={passkey.createdAt} />,{" "}
              {passkey.lastUsedAt === null ? (
                "not used yet"
              ) : (
                <>
                  last used <Timestamp format="relative" value={passkey.lastUsedAt} />
                </>
              )}
            </p>
          </div>
          <Button aria-label={`Remove ${passkey.name}`} onClick={() => onRemove(passkey)} size="sm">
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}
