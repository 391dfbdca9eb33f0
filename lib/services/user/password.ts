import { timingSafeEqual } from "node:crypto";
import { hash, type Options, parseOptions, verify } from "@node-rs/argon2";
import type { Database } from "#lib/db/connection/client.ts";
import { findPasswordHash } from "#lib/db/user/user.ts";
import { checkPasswordRules, createOneTimePassword, PASSWORD_MAX_LENGTH } from "#lib/domain/password.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { isGuessable } from "./password-strength.ts";

const ONE_TIME_PASSWORD_DAYS = 7;
const MS_PER_DAY = 86_400_000;

/**
 * Argon2id with the library's defaults, which follow OWASP's.
 * @param like a hash of another user with the same email address, whose salt is used again: one computation then checks
 *   them all, and signing in takes as long however many there are (docs/decisions/0030)
 */
export async function hashPassword(password: string, like: string | null = null): Promise<string> {
  return hash(password, like === null ? null : settingsOf(like));
}

/** For a user with this email address. */
export async function hashPasswordFor(db: Database, email: string, password: string): Promise<string> {
  return hashPassword(password, await findPasswordHash(db, email));
}

export async function passwordMatches(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/** The one whose password it is; null: nobody's. Takes as long when there is nobody to compare with. */
export async function findPasswordOwner<User extends { readonly passwordHash: string }>(
  users: readonly User[],
  password: string,
): Promise<User | null> {
  const tried = password.length > PASSWORD_MAX_LENGTH ? "" : password;
  const computed = new Map<string, string>();
  if (users.length === 0) await hashPassword(tried);
  let owner: User | null = null;
  for (const user of users) {
    const prefix = user.passwordHash.slice(0, user.passwordHash.lastIndexOf("$"));
    const own = computed.get(prefix) ?? (await hashPassword(tried, user.passwordHash));
    computed.set(prefix, own);
    if (isSameText(own, user.passwordHash)) owner ??= user;
  }
  return owner;
}

function settingsOf(passwordHash: string): Options {
  const salt = passwordHash.split("$")[4] ?? "";
  return { ...parseOptions(passwordHash), salt: Buffer.from(salt, "base64") };
}

function isSameText(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

export interface OneTimePassword {
  /** Shown this once. */
  readonly oneTimePassword: string;
  readonly passwordHash: string;
  /** Until when it lets them in. */
  readonly until: Date;
}

/** For somebody else, who has to choose their own at the first sign-in. */
export async function newOneTimePassword(ctx: ServiceContext, email: string): Promise<OneTimePassword> {
  const oneTimePassword = createOneTimePassword(ctx.randomBytes);
  const until = new Date(ctx.now().getTime() + ONE_TIME_PASSWORD_DAYS * MS_PER_DAY);
  return { oneTimePassword, passwordHash: await hashPasswordFor(ctx.db, email, oneTimePassword), until };
}

/** As a parameter's problem; null: nothing is wrong. */
export async function findPasswordProblem(field: string, password: string, email: string) {
  const message = checkPasswordRules(password, { email }) ?? (await guessableMessage(password, email));
  return message === null ? null : ({ field, kind: "malformed", message } as const);
}

async function guessableMessage(password: string, email: string): Promise<string | null> {
  if (!(await isGuessable(password, [email, ...email.split(/[@.]/)]))) return null;
  return "is too easy to guess. Use several unrelated words, or let a password manager make one";
}
