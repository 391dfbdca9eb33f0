"use client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { TextField } from "#components/ui/field.tsx";
import { CodeForm } from "./code-form.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { type Failure, failures, type SecondStep, trySignIn } from "./try-sign-in.ts";

/** A check that nothing delays takes less. */
const SLOW_AFTER_MS = 2_000;

/** `next`: a path on this site, where the visitor wanted to go. */
export function SignInAndGo({ next, passkeys }: { readonly next: string; readonly passkeys: boolean }) {
  // A page load, not a navigation: nothing of an earlier visitor stays in memory. The form stays busy until then.
  const go = () => {
    window.location.assign(next);
    return new Promise<never>(() => {});
  };
  return <SignInForm onSignedIn={go} passkeys={passkeys} />;
}

export interface SignInFormProps {
  /** Of who is expected to sign in. */
  readonly email?: string;
  /** Whether they are possible here. */
  readonly passkeys: boolean;
  readonly onSignedIn: () => Promise<void>;
}

export function SignInForm({ email, passkeys, onSignedIn }: SignInFormProps) {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [secondStep, setSecondStep] = useState<SecondStep | null>(null);
  const passwordRef = useRef<HTMLInputElement>(null);
  const slow = useSlow(pending);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    setPending(true);
    setFailure(null);
    const given = { email: String(form.get("email")), password: String(form.get("password")) };
    const failed = await trySignIn(given, onSignedIn);
    setPending(false);
    if (failed !== null && typeof failed === "object") return setSecondStep(failed);
    setFailure(failed);
    passwordRef.current?.select();
  }

  if (secondStep) {
    const startAgain = () => {
      setSecondStep(null);
      setFailure("expired");
    };
    return <CodeForm onExpired={startAgain} onSignedIn={onSignedIn} step={secondStep} />;
  }
  return (
    // Before the script has loaded, submitting does nothing: outside of a dialog this method is inert.
    <form className="flex flex-col gap-4" method="dialog" onSubmit={submit}>
      {failure && <ErrorState {...failures[failure]} />}
      <TextField
        autoComplete="username"
        autoFocus={email === undefined}
        defaultValue={email}
        label="Email"
        name="email"
        spellCheck={false}
        type="email"
      />
      <TextField
        autoComplete="current-password"
        data-autofocus={email === undefined ? undefined : true}
        label="Password"
        name="password"
        ref={passwordRef}
        type="password"
      />
      <Button className="mt-1 w-full" loading={pending} type="submit" variant="primary">
        Sign in
      </Button>
      {passkeys && <PasskeyButton onFailure={setFailure} onSignedIn={onSignedIn} />}
      <p className="text-center text-sm text-text-muted empty:hidden" role="status">
        {slow && "Signing in is slowed down after wrong passwords. It takes up to 20 seconds."}
      </p>
    </form>
  );
}

function useSlow(pending: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!pending) return;
    const timer = window.setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => {
      window.clearTimeout(timer);
      setSlow(false);
    };
  }, [pending]);
  return slow;
}
