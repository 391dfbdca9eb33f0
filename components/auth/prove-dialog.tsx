"use client";
import { Fingerprint } from "lucide-react";
import { useEffect, useState } from "react";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { thisPage } from "#components/form/idempotency-key.ts";
import { proofRequests, unrepeated } from "#components/form/send-signed-in.ts";
import { useForm } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { TextField } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { type OnceAction, requireValue } from "#lib/domain/action-result.ts";
import type { Proof } from "#lib/services/user/prove-identity.ts";
import { CodeField, OtherMethod } from "./code-field.tsx";
import { IssuerLink } from "./issuer-link.tsx";
import { type PasskeyChallenge, signChallenge } from "./sign-challenge.ts";

interface Expected {
  readonly method: "password" | "issuer" | "totp" | "passkey";
  readonly challenge: PasskeyChallenge | null;
  /** Its name. */
  readonly issuer: string | null;
}

const WHY = "This changes money or access, and your last confirmation is more than 10 minutes ago.";

export interface ProveDialogProps {
  /** What to give, with a challenge for the user's passkeys. */
  readonly read: OnceAction<undefined, Expected>;
}

/** `POST /api/auth/proof`. A rejection: no answer. */
const prove: OnceAction<Proof> = async (given) => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ given, page: thisPage() });
  return (await fetch("/api/auth/proof", { method: "POST", headers, body })).json();
};

/** Asks for a second factor, or without one for what the user signed in with. Then what was being sent continues. */
export default function ProveDialog({ read }: ProveDialogProps) {
  const [expected, setExpected] = useState<Expected | null>(null);
  const [method, setMethod] = useState<Proof["method"] | null>(null);
  const form = useForm(unrepeated(prove, "try again, with the next code if you entered one"), () =>
    proofRequests.settle(true),
  );

  useEffect(() => {
    read(undefined).then(
      (found) => {
        const expected = requireValue(found);
        setExpected(expected);
        setMethod(expected.method === "issuer" ? null : expected.method);
      },
      () => proofRequests.settle(false),
    );
  }, [read]);

  async function sign(asked: PasskeyChallenge) {
    const secret = await signChallenge(asked).catch(() => {
      toast({
        title: "A part of the page could not be loaded",
        description: "Check your connection, then try again.",
        tone: "critical",
        subject: "passkey",
      });
      return null;
    });
    if (secret !== null) await form.send({ method: "passkey", secret });
  }

  if (expected?.method === "issuer" && expected.issuer !== null) return <ProveAtIssuer issuer={expected.issuer} />;
  if (expected === null || method === null) return null;
  const { challenge } = expected;
  const hasTotp = expected.method === "totp";
  const isCode = method === "totp" || method === "recovery";
  return (
    <ConfirmForm
      confirmLabel={method === "passkey" ? null : "Confirm"}
      description={WHY}
      form={form}
      input={{ method }}
      key={method}
      onClose={() => proofRequests.settle(false)}
      title="Confirm it's you"
    >
      {method === "password" && (
        <TextField autoComplete="current-password" data-autofocus label="Password" name="secret" type="password" />
      )}
      {isCode && <CodeField method={method} name="secret" />}
      {challenge && (
        <Button
          data-autofocus={method === "passkey" ? true : undefined}
          icon={<Fingerprint className="size-4" />}
          loading={method === "passkey" && form.pending}
          onClick={() => void sign(challenge)}
          variant={method === "passkey" ? "primary" : "secondary"}
        >
          Use a passkey
        </Button>
      )}
      {method !== "password" && <OtherMethod hasTotp={hasTotp} method={isCode ? method : null} onChange={setMethod} />}
    </ConfirmForm>
  );
}

/** In a tab of its own, so that what was filled in stays. */
function ProveAtIssuer({ issuer }: { readonly issuer: string }) {
  return (
    <Dialog
      description={`${WHY} Sign in again in a new tab, then continue here.`}
      footer={
        <>
          <Button onClick={() => proofRequests.settle(false)}>Cancel</Button>
          <Button data-autofocus onClick={() => proofRequests.settle(true)}>
            I have signed in
          </Button>
        </>
      }
      onClose={() => proofRequests.settle(false)}
      size="sm"
      title="Confirm it's you"
    >
      <IssuerLink issuer={issuer} label={`Sign in with ${issuer}`} newTab next={null} primary />
    </Dialog>
  );
}
