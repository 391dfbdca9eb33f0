"use client";
import { Fingerprint } from "lucide-react";
import { useEffect, useState } from "react";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { proofRequests } from "#components/form/send-signed-in.ts";
import { useForm } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/field.tsx";
import { type OnceAction, requireValue } from "#lib/domain/action-result.ts";
import { CodeField, type CodeMethod, OtherMethod } from "./code-field.tsx";
import { type PasskeyChallenge, signChallenge } from "./sign-challenge.ts";

type ProofMethod = "password" | "passkey" | CodeMethod;

interface ProofInput {
  readonly method: ProofMethod;
  readonly secret: string;
}

export interface ProveDialogProps {
  readonly prove: OnceAction<ProofInput>;
  /** What to give, with a challenge for the user's passkeys. */
  readonly read: OnceAction<
    undefined,
    { readonly method: "password" | "totp" | "passkey"; readonly challenge: PasskeyChallenge | null }
  >;
}

/** Asks for a second factor, or the password without one. Then what was being sent continues. */
export default function ProveDialog({ prove, read }: ProveDialogProps) {
  const [{ challenge, hasTotp }, setFound] = useState<{ challenge: PasskeyChallenge | null; hasTotp: boolean }>(
    nothing,
  );
  const [method, setMethod] = useState<ProofMethod | null>(null);
  const form = useForm(prove, () => proofRequests.settle(true));

  useEffect(() => {
    read(undefined).then(
      (found) => {
        const { method, challenge } = requireValue(found);
        setFound({ challenge, hasTotp: method === "totp" });
        setMethod(method);
      },
      () => proofRequests.settle(false),
    );
  }, [read]);

  async function sign(asked: PasskeyChallenge) {
    const secret = await signChallenge(asked);
    if (secret !== null) await form.send({ method: "passkey", secret });
  }

  if (method === null) return null;
  const isCode = method === "totp" || method === "recovery";
  return (
    <ConfirmForm
      confirmDisabled={method === "passkey"}
      confirmLabel="Confirm"
      description="This changes money or access, and your last confirmation is more than 10 minutes ago."
      form={form}
      input={{ method }}
      key={method}
      onClose={() => proofRequests.settle(false)}
      title="Confirm that it is you"
    >
      {method === "password" && (
        <TextField autoComplete="current-password" data-autofocus label="Password" name="secret" type="password" />
      )}
      {isCode && <CodeField method={method} name="secret" />}
      {challenge && (
        <Button icon={<Fingerprint aria-hidden className="size-4" />} onClick={() => void sign(challenge)}>
          Use a passkey
        </Button>
      )}
      {method !== "password" && <OtherMethod hasTotp={hasTotp} method={isCode ? method : null} onChange={setMethod} />}
    </ConfirmForm>
  );
}

const nothing = { challenge: null, hasTotp: false };
