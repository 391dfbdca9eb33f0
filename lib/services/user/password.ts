import { hash, verify } from "@node-rs/argon2";
import { makeOneTimePassword, passwordProblem } from "#lib/domain/password.ts";
import type { ServiceContext } from "#lib/services/context.ts";

const ONE_TIME_PASSWORD_DAYS = 7;
const MS_PER_DAY = 86_400_000;

/** Argon2id with the library's defaults, which follow OWASP's. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password);
}

export async function passwordMatches(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

export interface OneTimePassword {
  /** Shown this once. */
  readonly oneTimePassword: string;
  readonly passwordHash: string;
  /** Until when it lets them in. */
  readonly until: Date;
}

/** For somebody else, who has to choose their own at the first sign-in. */
export async function newOneTimePassword({ randomBytes, now }: ServiceContext): Promise<OneTimePassword> {
  const oneTimePassword = makeOneTimePassword(randomBytes);
  const until = new Date(now().getTime() + ONE_TIME_PASSWORD_DAYS * MS_PER_DAY);
  return { oneTimePassword, passwordHash: await hashPassword(oneTimePassword), until };
}

/** As a parameter's problem; null: nothing is wrong. */
export function findPasswordProblem(field: string, password: string, email: string) {
  const message = passwordProblem(password, { email });
  return message === null ? null : ({ field, kind: "malformed", message } as const);
}
