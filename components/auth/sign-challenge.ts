"use client";

/** What a passkey signs, and for which site. */
export interface PasskeyChallenge {
  readonly challenge: string;
  readonly rpId: string;
}

/**
 * The browser's answer as JSON, after its user has chosen a passkey and verified themselves; null: they gave up.
 * @throws if the code for it cannot be loaded
 */
export async function signChallenge({ challenge, rpId }: PasskeyChallenge): Promise<string | null> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const optionsJSON = { challenge, rpId, userVerification: "required" } as const;
  return startAuthentication({ optionsJSON }).then(JSON.stringify, () => null);
}
