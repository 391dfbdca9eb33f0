import { setTimeout as sleep } from "node:timers/promises";
import { bulkhead, isBulkheadRejectedError } from "cockatiel";
import { LRUCache } from "lru-cache";
import type { Database } from "#lib/db/connection/client.ts";
import { type AttemptSubject, countAttempts, forgiveAttempts } from "#lib/db/user/sign-in-attempt.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { type AttemptKind, isUsedUp, signInAllowances, signInDelayMs } from "#lib/domain/sign-in-limit.ts";
import { WaitingLine, type WaitingLineLimits } from "./waiting-line.ts";

/** An argon2 check takes tens of milliseconds of CPU and 19 MiB, so strangers get one at a time. */
const CHECKS = { atOnce: 1, waiting: 100 };
const STATEMENTS = { atOnce: 2, waiting: 200 };
const STRANGERS: WaitingLineLimits = { perAccount: 32, perSource: 2, total: 256 };
const KNOWN: WaitingLineLimits = { perAccount: 2, perSource: 2, total: 256 };
const BUSY_SECONDS = 5;
/** Delay of a "busy" response, to slow down clients that retry immediately; bounded in number. */
const BUSY_HOLD_MS = 1_000;
const MAX_HELD = 1_000;
/** Sources whose attempts are counted, to find the most frequent ones. */
const REMEMBERED = { max: 10_000, ttl: 10 * 60_000 };

type Policy = ReturnType<typeof bulkhead>;
type DelayOf = (kind: AttemptKind, failures: number) => number;

const delayOf: DelayOf = (kind, failures) => signInDelayMs(failures, signInAllowances[kind]);

interface Lane {
  readonly options: SignInGateOptions;
  readonly line: WaitingLine;
  /** Recent attempts per source, including rejected ones. */
  readonly attempts: LRUCache<string, number>;
  held: number;
  readonly statements: Policy;
  readonly checks: Policy;
}

/** Known devices and signed-in users have their own lane, so strangers cannot delay them. */
export interface SignInGate {
  readonly known: Lane;
  readonly strangers: Lane;
}

export interface SignInGateOptions {
  readonly delayOf: DelayOf;
  readonly busyHoldMs: number;
}

export function createSignInGate(options: SignInGateOptions = { delayOf, busyHoldMs: BUSY_HOLD_MS }): SignInGate {
  const lane = (limits: WaitingLineLimits): Lane => ({
    options,
    attempts: new LRUCache(REMEMBERED),
    held: 0,
    line: new WaitingLine(limits),
    statements: bulkhead(STATEMENTS.atOnce, STATEMENTS.waiting),
    checks: bulkhead(CHECKS.atOnce, CHECKS.waiting),
  });
  return { known: lane(KNOWN), strangers: lane(STRANGERS) };
}

/** One per process. */
export const signInGate = createSignInGate();

export interface PasswordAttempt<Owner = unknown> {
  readonly account: string;
  readonly source: string;
  /** The source's own, if counted, is the last. */
  readonly subjects: readonly AttemptSubject[];
  /**
   * Those of the owner alone, whose earlier attempts a right password forgives. Of the others it forgives only its own:
   * they count the failures of other users, too. Default: all but sources.
   */
  readonly findOwnSubjects?: (owner: Owner) => readonly AttemptSubject[];
}

/**
 * Runs one check of a password or code: counts it first, delays it by earlier failures, and limits concurrency. `check`
 * returns null for a wrong one.
 * @throws DomainError `unavailable` if the line is full, `rate_limited` if the attempts are used up; neither counts.
 */
export async function checkPassword<Owner>(
  db: Database,
  lane: Lane,
  attempt: PasswordAttempt<Owner>,
  check: () => Promise<Owner | null>,
): Promise<Owner | null> {
  try {
    return await admit(db, lane, attempt, check);
  } catch (error) {
    if (!(error instanceof BusyError) && !isBulkheadRejectedError(error)) throw error;
    await holdBack(lane);
    throw new DomainError("unavailable", "Too many sign-ins at the moment. Try again.", {
      retryAfterSeconds: BUSY_SECONDS,
      cause: error,
    });
  }
}

async function admit<Owner>(
  db: Database,
  { options, line, attempts, statements, checks }: Lane,
  {
    account,
    source,
    subjects,
    findOwnSubjects = () => subjects.filter(({ kind }) => kind !== "source"),
  }: PasswordAttempt<Owner>,
  check: () => Promise<Owner | null>,
): Promise<Owner | null> {
  const earlier = attempts.get(source) ?? 0;
  attempts.set(source, earlier + 1);
  // Before any statement, so that a flood from one source costs only its responses.
  if (line.isFullFor(source)) throw new BusyError();
  const failures = await statements.execute(() => countAttempts(db, subjects));
  const uncount = () => forgiveAttempts(db, subjects, "one");
  if (subjects.some(({ kind }, index) => isUsedUp(failures[index] ?? 0, signInAllowances[kind]))) {
    await uncount();
    throw new DomainError("rate_limited", "Too many wrong codes. Wait an hour, or use a recovery code.");
  }
  const delays = subjects.map(({ kind }, index) => options.delayOf(kind, failures[index] ?? 0));
  const waiter = { account, source, attempts: Math.max(earlier, failures.at(-1) ?? 0) };
  if (!(await line.wait(waiter, Math.max(...delays)))) {
    await uncount();
    throw new BusyError();
  }
  const owner = await checks.execute(check).catch(async (error) => {
    if (isBulkheadRejectedError(error)) await uncount();
    throw error;
  });
  if (owner !== null) {
    attempts.delete(source);
    const own = findOwnSubjects(owner);
    const shared = subjects.filter((subject) => !own.includes(subject));
    await forgiveAttempts(db, own, "all");
    if (shared.length > 0) await forgiveAttempts(db, shared, "one");
  }
  return owner;
}

/** The line is full, or another attempt took the place. */
class BusyError extends Error {
  override readonly name = "BusyError";
}

async function holdBack(lane: Lane): Promise<void> {
  if (lane.held >= MAX_HELD) return;
  lane.held += 1;
  try {
    await sleep(lane.options.busyHoldMs);
  } finally {
    lane.held -= 1;
  }
}
