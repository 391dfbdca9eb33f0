import { createReadableSecret } from "./readable-secret.ts";

export const PASSWORD_MIN_LENGTH = 12;
/** Bounds the time of hashing. */
export const PASSWORD_MAX_LENGTH = 200;
const MIN_DIFFERENT = 5;

/** Returns what is wrong with a chosen password as "must …", or null. */
export function checkPasswordRules(password: string, { email }: { readonly email: string }): string | null {
  if (password.length < PASSWORD_MIN_LENGTH) return `must have at least ${PASSWORD_MIN_LENGTH} characters`;
  if (password.length > PASSWORD_MAX_LENGTH) return `must have at most ${PASSWORD_MAX_LENGTH} characters`;
  if (new Set(password).size < MIN_DIFFERENT) return `must have at least ${MIN_DIFFERENT} different characters`;
  if (password.toLowerCase().includes(email.toLowerCase())) return "must not contain the email address";
  return null;
}

/** For one sign-in: `k7mfa-2qpxz-9rtdh-w3hnc`, 99 bits. */
export function createOneTimePassword(randomBytes: (count: number) => Uint8Array): string {
  return createReadableSecret(4, randomBytes);
}
