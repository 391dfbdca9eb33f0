"use client";
import { signIn } from "next-auth/react";

export type Failure = "refused" | "busy" | "limited" | "expired" | "read_only" | "unreachable";

export const failures = {
  refused: {
    title: "Email or password is wrong",
    description: "Check both and try again.",
  },
  busy: {
    title: "The server is too busy to sign you in",
    description: "Nothing was checked. Try again in a few seconds.",
  },
  limited: {
    title: "Too many wrong codes",
    description: "Wait an hour, or use a recovery code.",
  },
  expired: {
    title: "Your password was entered too long ago",
    description: "Enter it again, then the code within 5 minutes.",
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

const named: readonly string[] = ["second_factor", "limited", "expired", "read_only"];

/** One step of signing in. Null: signed in; `second_factor`: the password is right. */
export async function trySignIn(
  given: Readonly<Record<string, string>>,
  onSignedIn: () => Promise<void>,
): Promise<Failure | "second_factor" | null> {
  try {
    const answer = await signIn("credentials", { ...given, redirect: false });
    if (answer?.ok && !answer.error) {
      await onSignedIn();
      return null;
    }
    const error = answer?.error ?? "";
    if (error === "CredentialsSignin") return "refused";
    if (named.includes(error)) return error as Failure;
    return error.startsWith("busy") ? "busy" : "unreachable";
  } catch {
    return "unreachable";
  }
}
