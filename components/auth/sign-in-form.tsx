"use client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { TextField } from "#components/ui/field.tsx";
import { TextLink, textLinkClassName } from "#components/ui/text-link.tsx";
import { CodeForm } from "./code-form.tsx";
import { IssuerLink } from "./issuer-link.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { type Failure, failures, type SecondStep } from "./sign-in-failures.ts";
import { trySignIn } from "./try-sign-in.ts";

/** A check that nothing delays takes less. */
const SLOW_AFTER_MS = 2_000;

export interface SignInAndGoProps extends Pick<SignInFormProps, "passkeys" | "issuer" | "arrival"> {
  /** A path on this site, where the visitor wanted to go. */
  readonly next: string;
}

export function SignInAndGo({ next, ...rest }: SignInAndGoProps) {
  // A page load, not a navigation: nothing of an earlier visitor stays in memory. The form stays busy until then.
  const go = () => {
    window.location.assign(next);
    return new Promise<never>(() => {});
  };
  const [confirming, setConfirming] = useState<string | null>(rest.arrival?.secondStep ? "" : null);
  return (
    <>
      <div className="text-center">
        <h1 className="font-semibold text-xl tracking-tight">{confirming === null ? "Sign in" : "Confirm it's you"}</h1>
        {confirming && <p className="wrap-anywhere mt-1 text-text-muted">{confirming}</p>}
      </div>
      <Card>
        <SignInForm {...rest} issuerNext={next} onSecondStep={setConfirming} onSignedIn={go} />
      </Card>
      <div className="flex flex-col gap-1.5 text-center text-sm text-text-muted">
        {confirming === null ? (
          <>
            <p>
              <TextLink href="/forgot-password">Forgot your password?</TextLink>
            </p>
            <p>To get access, ask a License Desk administrator.</p>
          </>
        ) : (
          <p>
            <a className={textLinkClassName} href={`/sign-in?next=${encodeURIComponent(next)}`}>
              Use another account
            </a>
          </p>
        )}
      </div>
    </>
  );
}

export interface SignInFormProps {
  /** Of who is expected to sign in. */
  readonly email?: string;
  /** Whether they are possible here. */
  readonly passkeys: boolean;
  /** Its name; null: there is none. */
  readonly issuer: string | null;
  /** The page to open after signing in there; without it, that happens in a new tab. */
  readonly issuerNext?: string;
  /** How signing in at the issuer went on. */
  readonly arrival?: { readonly failure: Failure | null; readonly secondStep: SecondStep | null };
  readonly onSignedIn: () => Promise<void>;
  /** The email of who is asked for a second factor; null: it starts again. */
  readonly onSecondStep?: (email: string | null) => void;
}

export function SignInForm(props: SignInFormProps) {
  const { email, passkeys, issuer, issuerNext, arrival, onSignedIn, onSecondStep } = props;
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(arrival?.failure ?? null);
  const [secondStep, setSecondStep] = useState<SecondStep | null>(arrival?.secondStep ?? null);
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
    if (failed !== null && typeof failed === "object") {
      onSecondStep?.(given.email);
      return setSecondStep(failed);
    }
    setFailure(failed);
    passwordRef.current?.select();
  }

  if (secondStep) {
    const startAgain = () => {
      setSecondStep(null);
      onSecondStep?.(null);
      setFailure(arrival?.secondStep ? "issuer_expired" : "expired");
    };
    return <CodeForm onExpired={startAgain} onSignedIn={onSignedIn} step={secondStep} />;
  }
  return (
    // Before the script has loaded, the browser sends nothing: outside of a dialog this method is inert.
    <form className="flex flex-col gap-4" method="dialog" onSubmit={submit}>
      {failure && <ErrorState {...failures[failure]} />}
      <TextField
        autoComplete="username"
        autoFocus={email === undefined}
        defaultValue={email}
        label="Email"
        name="email"
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
      {issuer !== null && (
        <IssuerLink issuer={issuer} newTab={issuerNext === undefined} next={issuerNext ?? "/confirmed"} />
      )}
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
