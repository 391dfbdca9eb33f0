"use client";
import { signIn } from "next-auth/react";
import { type FormEvent, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

type Failure = "refused" | "too_many" | "unreachable";

const failures = {
  refused: {
    title: "Email or password is wrong",
    description: "Check both and try again.",
  },
  too_many: {
    title: "Too many attempts",
    description: "Wait a while, then try again.",
  },
  unreachable: {
    title: "The server did not answer",
    description: "Check your connection and try again.",
  },
} as const satisfies Record<Failure, { title: string; description: string }>;

interface SignInFailure {
  readonly kind: Failure;
  /** Known with `too_many`. */
  readonly waitSeconds: number | null;
}

/** `next`: a path on this site, where the visitor wanted to go. */
export function SignInForm({ next }: { readonly next: string }) {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<SignInFailure | null>(null);
  const passwordRef = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    setPending(true);
    setFailure(null);
    const problem = await attempt(String(form.get("email")), String(form.get("password")));
    if (problem === null) {
      // A page load, not a navigation: nothing of an earlier visitor stays in memory.
      window.location.assign(next);
      return;
    }
    setFailure(problem);
    setPending(false);
    passwordRef.current?.select();
  }

  return (
    // The method matters only before the script has loaded: then nothing secret gets into an address.
    <form className="flex flex-col gap-4" method="post" onSubmit={submit}>
      {failure && <ErrorState {...textOf(failure)} />}
      <Field label="Email" name="email">
        {(control) => <Input {...control} autoComplete="username" autoFocus spellCheck={false} type="email" />}
      </Field>
      <Field label="Password" name="password">
        {(control) => <Input {...control} autoComplete="current-password" ref={passwordRef} type="password" />}
      </Field>
      <Button className="mt-1 w-full" loading={pending} type="submit" variant="primary">
        Sign in
      </Button>
    </form>
  );
}

function textOf({ kind, waitSeconds }: SignInFailure): { title: string; description: string } {
  if (waitSeconds === null) return failures[kind];
  const minutes = Math.ceil(waitSeconds / 60);
  return {
    ...failures[kind],
    description: `Wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}, then try again.`,
  };
}

async function attempt(email: string, password: string): Promise<SignInFailure | null> {
  const failed = (kind: Failure, waitSeconds: number | null = null) => ({ kind, waitSeconds });
  try {
    const answer = await signIn("credentials", { email, password, redirect: false });
    if (answer?.ok && !answer.error) return null;
    if (!answer?.error) return failed("unreachable");
    const wait = /^too_many:(\d+)$/.exec(answer.error);
    return wait ? failed("too_many", Number(wait[1])) : failed("refused");
  } catch {
    return failed("unreachable");
  }
}
