"use client";
import { signIn } from "next-auth/react";

export type Failure =
  | "refused"
  | "passkey_refused"
  | "no_passkey"
  | "busy"
  | "limited"
  | "expired"
  | "read_only"
  | "unreachable";

/** The password is right; signing in also asks for one of these. */
export interface SecondStep {
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
}

export const failures = {
  refused: {
    title: "Email or password is wrong",
    description: "Check both and try again.",
  },
  passkey_refused: {
    title: "This passkey was not accepted",
    description: "It may have been removed, or belong to another user. Use another one, or your password.",
  },
  no_passkey: {
    title: "No passkey was used",
    description: "Try again, or sign in another way.",
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

const named: readonly string[] = ["limited", "expired", "read_only"];
const SECOND_FACTOR = "second_factor:";

/** One step of signing in. Null: signed in. */
export async function trySignIn(
  given: Readonly<Record<string, string>>,
  onSignedIn: () => Promise<void>,
): Promise<Failure | SecondStep | null> {
  try {
    const answer = await signIn("credentials", { ...given, redirect: false });
    if (answer?.ok && !answer.error) {
      await onSignedIn();
      return null;
    }
    const error = answer?.error ?? "";
    if (error === "CredentialsSignin") return "refused";
    if (named.includes(error)) return error as Failure;
    if (error.startsWith(SECOND_FACTOR)) return readSecondStep(error.slice(SECOND_FACTOR.length).split(","));
    return error.startsWith("busy") ? "busy" : "unreachable";
  } catch {
    return "unreachable";
  }
}

function readSecondStep(methods: readonly string[]): SecondStep {
  return { hasTotp: methods.includes("totp"), hasPasskey: methods.includes("passkey") };
}
