"use client";
import { Fingerprint } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { type PasskeyChallenge, signChallenge } from "./sign-challenge.ts";
import type { Failure } from "./sign-in-failures.ts";
import { trySignIn } from "./try-sign-in.ts";

export interface PasskeyButtonProps {
  /** After a right password: only its user's passkeys are accepted. */
  readonly second?: boolean;
  readonly primary?: boolean;
  readonly onSignedIn: () => Promise<void>;
  readonly onFailure: (failure: Failure | null) => void;
}

/** Signs in with a passkey. */
export function PasskeyButton({ second = false, primary = false, onSignedIn, onFailure }: PasskeyButtonProps) {
  const [pending, setPending] = useState(false);

  async function press() {
    setPending(true);
    onFailure(null);
    const failed = await signIn(second, onSignedIn).catch((): Failure => "unreachable");
    setPending(false);
    if (failed !== null) onFailure(failed);
  }

  return (
    <Button
      className="w-full"
      icon={<Fingerprint className="size-4" />}
      loading={pending}
      onClick={() => void press()}
      variant={primary ? "primary" : "secondary"}
    >
      {second ? "Use a passkey" : "Sign in with a passkey"}
    </Button>
  );
}

async function signIn(second: boolean, onSignedIn: () => Promise<void>): Promise<Failure | null> {
  const challenge = await fetch("/api/auth/passkey-challenge").then(
    (answer) => (answer.ok ? (answer.json() as Promise<PasskeyChallenge>) : null),
    () => null,
  );
  if (challenge === null) return "unreachable";
  const code = await signChallenge(challenge);
  if (code === null) return "no_passkey";
  const failed = await trySignIn({ method: "passkey", code, ...(second ? { second: "yes" } : {}) }, onSignedIn);
  if (failed !== null && typeof failed === "object") return "unreachable";
  return failed === "refused" ? "passkey_refused" : failed;
}
