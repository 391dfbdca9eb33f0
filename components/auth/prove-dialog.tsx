"use client";
import { useEffect, useState } from "react";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { proofRequests } from "#components/form/send-signed-in.ts";
import { useForm } from "#components/form/use-form.ts";
import { TextField } from "#components/ui/field.tsx";
import { type OnceAction, requireValue } from "#lib/domain/action-result.ts";
import { CodeField, type CodeMethod, OtherMethod } from "./code-field.tsx";

type ProofMethod = "password" | CodeMethod;

export interface ProveDialogProps {
  readonly prove: OnceAction<{ readonly method: ProofMethod; readonly secret: string }>;
  readonly readMethod: OnceAction<undefined, "password" | "totp">;
}

/** Asks for the second factor, or the password without one. Then what was being sent continues. */
export default function ProveDialog({ prove, readMethod }: ProveDialogProps) {
  const [method, setMethod] = useState<ProofMethod | null>(null);
  const form = useForm(prove, () => proofRequests.settle(true));

  useEffect(() => {
    readMethod(undefined).then(
      (found) => setMethod(requireValue(found)),
      () => proofRequests.settle(false),
    );
  }, [readMethod]);

  if (method === null) return null;
  return (
    <ConfirmForm
      confirmLabel="Confirm"
      description="This changes money or access, and your last confirmation is more than 10 minutes ago."
      form={form}
      input={{ method }}
      key={method}
      onClose={() => proofRequests.settle(false)}
      title="Confirm that it is you"
    >
      {method === "password" ? (
        <TextField autoComplete="current-password" data-autofocus label="Password" name="secret" type="password" />
      ) : (
        <>
          <CodeField method={method} name="secret" />
          <OtherMethod method={method} onChange={setMethod} />
        </>
      )}
    </ConfirmForm>
  );
}
