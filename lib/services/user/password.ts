import { randomBytes, timingSafeEqual } from "node:crypto";
import { hash, type Options, parseOptions, verify } from "@node-rs/argon2";
import type { Database } from "#lib/db/connection/client.ts";
import { findPasswordHash } from "#lib/db/user/password.ts";
import { checkPasswordRules, createOneTimePassword, PASSWORD_MAX_LENGTH } from "#lib/domain/password.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { isGuessable } from "./password-strength.ts";

const HASH_BYTES = 32;
const ONE_TIME_PASSWORD_DAYS = 7;
const MS_PER_DAY = 86_400_000;

/**
 * Argon2id with the library's defaults, which follow OWASP.
 * @param like hash of another user with the same email address, whose salt is reused: one computation then checks all
 *   of them, so the time of a sign-in does not reveal their number (docs/decisions/0030)
 */
export async function hashPassword(password: string, like: string | null = null): Promise<string> {
  return hash(password, like === null ? null : settingsOf(like));
}

/** A hash that is no known password's. @param like as for `hashPassword` */
export function unknownHash(like: string): string {
  const hash = randomBytes(HASH_BYTES).toString("base64").replace("=", "");
  return `${like.slice(0, like.lastIndexOf("$"))}$${hash}`;
}

export async function hashPasswordFor(db: Database, email: string, password: string): Promise<string> {
  return hashPassword(password, await findPasswordHash(db, email));
}

export async function passwordMatches(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/** The user with this password, or null. Takes equally long without any user. */
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
  /** Shown once. */
  readonly oneTimePassword: string;
  readonly passwordHash: string;
  /** Its end. */
  readonly until: Date;
}

/** For a user who has to replace it at the first sign-in. */
export async function newOneTimePassword(ctx: ServiceContext, email: string): Promise<OneTimePassword> {
  const oneTimePassword = createOneTimePassword(ctx.randomBytes);
  const until = new Date(ctx.now().getTime() + ONE_TIME_PASSWORD_DAYS * MS_PER_DAY);
  return { oneTimePassword, passwordHash: await hashPasswordFor(ctx.db, email, oneTimePassword), until };
}

/** What is wrong with a chosen password, or null. */
export async function findPasswordProblem(password: string, email: string): Promise<string | null> {
  const broken = checkPasswordRules(password, { email });
  if (broken !== null) return broken;
  if (!(await isGuessable(password, [email, ...email.split(/[@.]/)]))) return null;
  return "is too easy to guess. Use several unrelated words, or let a password manager make one";
}
