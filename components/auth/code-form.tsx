"use client";
import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { CodeField, type CodeMethod, OtherMethod } from "./code-field.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { type Failure, failures, type SecondStep } from "./sign-in-failures.ts";
import { trySignIn } from "./try-sign-in.ts";

export interface CodeFormProps {
  readonly step: SecondStep;
  readonly onSignedIn: () => Promise<void>;
  /** Back to the password, which has been given too long ago. */
  readonly onExpired: () => void;
}

/** The second step: asks for the second factor after a right password. */
export function CodeForm({ step, onSignedIn, onExpired }: CodeFormProps) {
  const [method, setMethod] = useState<CodeMethod | null>(step.hasTotp ? "totp" : null);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  const isWrong = failure === "refused" && method !== null;

  function change(to: CodeMethod) {
    setMethod(to);
    setFailure(null);
  }

  function show(failed: Failure | null) {
    if (failed === "expired") onExpired();
    else setFailure(failed);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const element = event.currentTarget;
    const code = String(new FormData(element).get("code"));
    setPending(true);
    setFailure(null);
    const failed = await trySignIn({ method: method ?? "", code, second: "yes" }, onSignedIn);
    setPending(false);
    show(failed !== null && typeof failed === "object" ? "expired" : failed);
    const input = element.querySelector<HTMLInputElement>("[name=code]");
    input?.focus();
    input?.select();
  }

  return (
    <form className="flex flex-col gap-4" method="dialog" onSubmit={submit}>
      {failure && !isWrong && <ErrorState {...failures[failure]} />}
      {method !== null && (
        <>
          <CodeField error={isWrong ? wrongCode[method] : null} key={method} method={method} name="code" />
          <Button className="mt-1 w-full" loading={pending} type="submit" variant="primary">
            Continue
          </Button>
        </>
      )}
      {step.hasPasskey && <PasskeyButton onFailure={show} onSignedIn={onSignedIn} primary={method === null} second />}
      <OtherMethod hasTotp={step.hasTotp} method={method} onChange={change} />
    </form>
  );
}

const wrongCode = {
  totp: "Wrong or used code. Wait for the next one, and check your phone's clock.",
  recovery: "Wrong or used code. Check it, or try another one.",
} as const satisfies Record<CodeMethod, string>;
