"use client";
import { signIn } from "next-auth/react";
import { type Failure, readSecondStep, type SecondStep } from "./sign-in-failures.ts";

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
    if (error.startsWith(SECOND_FACTOR)) return readSecondStep(error.slice(SECOND_FACTOR.length));
    return error.startsWith("busy") ? "busy" : "unreachable";
  } catch {
    return "unreachable";
  }
}
