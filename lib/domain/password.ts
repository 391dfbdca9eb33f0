export const PASSWORD_MIN_LENGTH = 12;
/** Hashing takes longer the longer it is. */
export const PASSWORD_MAX_LENGTH = 200;
const MIN_DIFFERENT = 5;

/** What is wrong with the form of a password that somebody chooses, as "must …"; null: nothing. */
export function passwordProblem(password: string, { email }: { readonly email: string }): string | null {
  if (password.length < PASSWORD_MIN_LENGTH) return `must have at least ${PASSWORD_MIN_LENGTH} characters`;
  if (password.length > PASSWORD_MAX_LENGTH) return `must have at most ${PASSWORD_MAX_LENGTH} characters`;
  if (new Set(password).size < MIN_DIFFERENT) return `must have at least ${MIN_DIFFERENT} different characters`;
  if (password.toLowerCase().includes(email.toLowerCase())) return "must not contain the email address";
  return null;
}

/** Without letters and digits that look alike. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** To be told and typed once: `k7mfa-2qpxz-9rtdh-w3hnc`, 99 bits. */
export function makeOneTimePassword(randomBytes: (count: number) => Uint8Array): string {
  const letters: string[] = [];
  while (letters.length < GROUPS * GROUP_LENGTH) {
    for (const byte of randomBytes(GROUPS * GROUP_LENGTH)) {
      // What is beyond the last whole multiple would make some letters likelier than others.
      if (byte < 256 - (256 % ALPHABET.length)) letters.push(ALPHABET.charAt(byte % ALPHABET.length));
    }
  }
  const group = (index: number) => letters.slice(index * GROUP_LENGTH, (index + 1) * GROUP_LENGTH).join("");
  return Array.from({ length: GROUPS }, (_, index) => group(index)).join("-");
}
