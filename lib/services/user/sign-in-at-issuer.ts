import { randomBytes } from "node:crypto";
import type { Database } from "#lib/db/connection/client.ts";
import {
  findIdentityOwner,
  insertIdentityUser,
  listUnconnectedUsers,
  type SignInAccount,
} from "#lib/db/user/identity.ts";
import { takeChallenge } from "#lib/db/user/passkey.ts";
import { countAttempts, forgiveAttempts, recordRefusedSignIn } from "#lib/db/user/sign-in-attempt.ts";
import type { SignInCandidate } from "#lib/db/user/user.ts";
import type { IssuerGrant, IssuerRoles } from "#lib/domain/issuer-roles.ts";
import { isUsedUp, signInAllowances } from "#lib/domain/sign-in-limit.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import type { IssuerAccount, IssuerChecks, IssuerReply, SignInIssuer } from "#lib/ports/sign-in-issuer.ts";
import type { FactorContext } from "./check-second-factor.ts";
import { normalizeEmail } from "./email.ts";
import { findNameProblem } from "./fields.ts";
import { hashPasswordFor } from "./password.ts";
import {
  admitUser,
  explainFailure,
  findDevice,
  type SessionLimits,
  type SignInFailure,
  type SignInInput,
  type SignInResult,
} from "./sign-in.ts";

export type { SignInIssuer } from "#lib/ports/sign-in-issuer.ts";

/** Time to sign in at the issuer. */
export const ISSUER_SECONDS = 900;
const PASSWORD_BYTES = 24;

/** How users of the issuer become users here. */
export interface IssuerRules {
  readonly roles: IssuerRoles;
  readonly createUsers: boolean;
}

/** What came back from the issuer in the visitor's address. */
export interface IssuerAnswer {
  readonly query: string;
  /** Of the request that this browser started. */
  readonly checks: IssuerChecks;
}

export interface IssuerSignInInput extends IssuerAnswer, Pick<SignInInput, "address" | "userAgent" | "findDevices"> {}

export type IssuerFailure = SignInFailure | Exclude<IssuerReply, { kind: "account" }>;

/**
 * Opens a session for whom the issuer vouches, or waits for the second factor. The account finds its user; an account
 * that is new here is connected to the user of its verified email address when the session opens
 * (docs/decisions/0055).
 */
export async function signInAtIssuer(
  parts: FactorContext,
  issuer: SignInIssuer,
  input: IssuerSignInInput,
  rules: IssuerRules,
  limits: SessionLimits,
): Promise<SignInResult | IssuerFailure> {
  const { db } = parts;
  try {
    const reply = await readAnswer(parts, issuer, { ...input, maxAgeSeconds: null });
    if (reply.kind !== "account") return reply;
    const { account } = reply;
    const email = normalizeEmail(account.email);
    const user = email !== null && account.emailVerified ? await findUser(db, { ...account, email }, rules) : null;
    if (!user?.maySignIn) {
      const name = user?.email ?? email;
      if (name !== null) await recordRefusedSignIn(db, name, { address: input.address, issuer: account.issuer });
      return { kind: "refused" };
    }
    // Without a time the issuer may have asked for credentials long ago.
    const provenAt = account.authenticatedAt ?? new Date(0);
    const identity = { ...account, isConnected: user.isConnected };
    const visitor = { ...input, device: findDevice(input, user), factor: null, identity, provenAt };
    return await admitUser(db, user, visitor, limits);
  } catch (error) {
    return explainFailure(error);
  }
}

/**
 * Whom the issuer vouches for. `expired`: the answer is not to this browser's request, or was used. A source whose codes
 * the issuer has rejected all the time is not asked about for an hour: the issuer might refuse us for it.
 */
export async function readAnswer(
  { db, now }: FactorContext,
  issuer: SignInIssuer,
  given: IssuerAnswer & { readonly maxAgeSeconds: number | null; readonly address: string },
): Promise<IssuerReply | { readonly kind: "expired" | "limited" }> {
  const { query, checks, maxAgeSeconds, address } = given;
  const answer = new URLSearchParams(query);
  if (answer.get("state") !== checks.state) return { kind: "expired" };
  const end = new Date(now().getTime() + ISSUER_SECONDS * 1_000);
  if (!(await takeChallenge(db, checks.state, end))) return { kind: "expired" };
  const ask = () => issuer.finish(query, { ...checks, maxAgeSeconds });
  // Without a code, as when the visitor has canceled, nothing is sent to the issuer.
  if (!answer.has("code")) return ask();
  const source = [{ kind: "issuer", name: rateLimitSource(address) }] as const;
  const [rejected = 0] = await countAttempts(db, source);
  if (isUsedUp(rejected, signInAllowances.issuer)) {
    await forgiveAttempts(db, source, "one");
    return { kind: "limited" };
  }
  const reply = await ask();
  if (reply.kind !== "rejected") await forgiveAttempts(db, source, reply.kind === "account" ? "all" : "one");
  return reply;
}

/** The account's user, or the one that its session will connect. Without a user, one may be created. */
async function findUser(
  db: Database,
  account: IssuerAccount,
  rules: IssuerRules,
): Promise<(SignInCandidate & Pick<SignInAccount, "isConnected">) | null> {
  const owner = await findIdentityOwner(db, account);
  if (owner) return { ...owner, isConnected: true };
  const { email, issuer } = account;
  const grant = rules.roles.get(email.slice(email.lastIndexOf("@") + 1)) ?? null;
  const found = await listUnconnectedUsers(db, email, issuer);
  // Anyone with a team can give it a user of any address. Those of a domain in the rules belong where the rules say.
  const users = grant === null ? found : found.filter(({ resellerId }) => resellerId === grant.resellerId);
  const admitted = users.filter(({ maySignIn }) => maySignIn);
  const [user] = admitted;
  if (user && admitted.length === 1) return { ...user, isConnected: false };
  if (users.length > 0 || grant === null || !rules.createUsers) return null;
  const created = await createUser(db, account, grant);
  return created && { ...created, isConnected: true };
}

async function createUser(db: Database, account: IssuerAccount, grant: IssuerGrant): Promise<SignInCandidate | null> {
  const { email } = account;
  const passwordHash = await hashPasswordFor(db, email, randomBytes(PASSWORD_BYTES).toString("base64url"));
  return insertIdentityUser(db, account, { email, name: nameOf(account), passwordHash, grant });
}

function nameOf({ name, email }: IssuerAccount): string {
  return findNameProblem(name.trim()) === null ? name.trim() : email.slice(0, email.indexOf("@"));
}
