import type { Database } from "#lib/db/connection/client.ts";
import type { AttemptSubject } from "#lib/db/user/sign-in-attempt.ts";
import { listSignInCandidates, type SignInCandidate } from "#lib/db/user/user.ts";
import type { KnownDevice } from "#lib/domain/known-device.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import { normalizeEmail } from "./email.ts";
import { findPasswordOwner } from "./password.ts";
import { checkPassword, type SignInGate } from "./sign-in-gate.ts";

export interface GivenPassword {
  readonly email: string;
  readonly password: string;
  /** The visitor's address. */
  readonly address: string;
  /** For which of an account's users the visitor's browser is a known device (`known-device.ts`). */
  readonly findDevices: (account: string) => readonly KnownDevice[];
}

/**
 * The user with this email address and password, or null. Guesses are delayed. A known device is one of its own users
 * alone: a guess there at the address's other users is counted apart, and equally whether there are any
 * (docs/decisions/0025, 0030).
 */
export async function findPasswordUser(
  db: Database,
  given: GivenPassword,
  gate: SignInGate,
): Promise<SignInCandidate | null> {
  const email = normalizeEmail(given.email);
  const account = email ?? given.email.trim().toLowerCase();
  const [device, ...more] = given.findDevices(account);
  let found: readonly SignInCandidate[] = [];

  async function check(isMeant: (user: SignInCandidate) => boolean): Promise<SignInCandidate | null> {
    found = email === null ? [] : await listSignInCandidates(db, email);
    const owner = await findPasswordOwner(found.filter(isMeant), given.password);
    return owner?.maySignIn ? owner : null;
  }

  if (device === undefined) {
    const own: AttemptSubject = { kind: "account", name: account };
    const source = rateLimitSource(given.address);
    const subjects = [own, { kind: "source", name: source } as const];
    const findOwnSubjects = () => (found.length > 1 ? [] : [own]);
    return checkPassword(db, gate.strangers, { account, source, subjects, findOwnSubjects }, () => check(() => true));
  }

  const devices = [...more, device];
  const isKnown = ({ id }: SignInCandidate) => devices.some(({ userId }) => userId === id);
  const subjectOf = ({ deviceId }: KnownDevice) => ({ kind: "device", name: `${account}:${deviceId}` }) as const;
  const source = subjectOf(device).name;
  const known = {
    account: `${account}:${device.userId}`,
    source,
    subjects: devices.map(subjectOf),
    findOwnSubjects: ({ id }: SignInCandidate) => known.subjects.filter((_, at) => devices[at]?.userId === id),
  };
  const user = await checkPassword(db, gate.known, known, () => check(isKnown));
  if (user) return user;
  const others: AttemptSubject = { kind: "others", name: known.account };
  const attempt = { account: `others:${known.account}`, source, subjects: [others], findOwnSubjects: () => [] };
  return checkPassword(db, gate.known, attempt, () => check((candidate) => !isKnown(candidate)));
}
