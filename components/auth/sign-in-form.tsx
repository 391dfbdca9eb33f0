"use client";
import { signIn } from "next-auth/react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { TextField } from "#components/ui/field.tsx";

type Failure = "refused" | "busy" | "read_only" | "unreachable";

/** A check that nothing delays takes less. */
const SLOW_AFTER_MS = 2_000;

const failures = {
  refused: {
    title: "Email or password is wrong",
    description: "Check both and try again.",
  },
  busy: {
    title: "The server is too busy to sign you in",
    description: "Your password was not checked. Try again in a few seconds.",
  },
  read_only: {
    title: "Nobody can sign in at the moment",
    description: "The service is read-only, so no session can be opened. Try again in a minute.",
  },
  unreachable: {
    title: "The server did not answer",
    description: "Check your connection and try again.",
  },
} as const satisfies Record<Failure, { title: string; description: string }>;

/** `next`: a path on this site, where the visitor wanted to go. */
export function SignInAndGo({ next }: { readonly next: string }) {
  // A page load, not a navigation: nothing of an earlier visitor stays in memory. The form stays busy until then.
  const go = () => {
    window.location.assign(next);
    return new Promise<never>(() => {});
  };
  return <SignInForm onSignedIn={go} />;
}

export interface SignInFormProps {
  /** Of who is expected to sign in. */
  readonly email?: string;
  readonly onSignedIn: () => Promise<void>;
}

export function SignInForm({ email, onSignedIn }: SignInFormProps) {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const passwordRef = useRef<HTMLInputElement>(null);
  const slow = useSlow(pending);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    setPending(true);
    setFailure(null);
    setFailure(await attempt(String(form.get("email")), String(form.get("password")), onSignedIn));
    setPending(false);
    passwordRef.current?.select();
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

async function attempt(
  email: string,
  password: string,
  onSignedIn: SignInFormProps["onSignedIn"],
): Promise<Failure | null> {
  try {
    const answer = await signIn("credentials", { email, password, redirect: false });
    if (answer?.ok && !answer.error) {
      await onSignedIn();
      return null;
    }
    if (answer?.error === "CredentialsSignin") return "refused";
    if (answer?.error === "read_only") return "read_only";
    return answer?.error?.startsWith("busy") ? "busy" : "unreachable";
  } catch {
    return "unreachable";
  }
}
