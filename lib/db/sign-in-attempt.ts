import { createHash } from "node:crypto";
import { SIGN_IN_ATTEMPTS_KEPT_MS, signInAllowances, signInWaitSeconds } from "#lib/domain/sign-in-limit.ts";
import type { Database } from "./client.ts";

export type AttemptSubject = keyof typeof signInAllowances;

function keyOf(kind: AttemptSubject, name: string): Buffer {
  return createHash("sha256").update(`${kind}:${name}`).digest();
}

/**
 * Counts an attempt before the password is looked at, so that many at once gain nothing; `forgiveAttempt` takes back
 * what was none. One that comes too early is not counted. Returns the seconds still to wait; 0: go on.
 */
export async function countAttempt(db: Database, kind: AttemptSubject, name: string, now: Date): Promise<number> {
  const { free, firstWaitSeconds, longestWaitSeconds } = signInAllowances[kind];
  const key = keyOf(kind, name);
  const counted = await db.query({
    name: "count_sign_in_attempt",
    text: `
      insert into sign_in_attempts as a (key, count, last_at) values ($1, 1, $2)
      on conflict (key) do update set
          count = case when a.last_at <= $3 then 1 else a.count + 1 end, last_at = $2
        where a.last_at <= $3 or a.count < $4
           or a.last_at + make_interval(secs => least($6::int, $5::int * 2 ^ least(a.count - $4, 30))) <= $2
      returning 1`,
    values: [key, now, new Date(now.getTime() - SIGN_IN_ATTEMPTS_KEPT_MS), free, firstWaitSeconds, longestWaitSeconds],
  });
  if (counted.length > 0) return 0;
  const [row] = await db.query<{ count: number; lastAt: Date }>({
    name: "find_sign_in_attempts",
    text: `select count, last_at as "lastAt" from sign_in_attempts where key = $1`,
    values: [key],
  });
  if (!row) return 1;
  const waitMs = signInWaitSeconds(row.count, signInAllowances[kind]) * 1_000 - (now.getTime() - row.lastAt.getTime());
  return Math.max(1, Math.ceil(waitMs / 1_000));
}

/** The password was right: `all` of the account's are forgotten, one of the address's. */
export async function forgiveAttempt(
  db: Database,
  kind: AttemptSubject,
  name: string,
  how: "all" | "one",
): Promise<void> {
  await db.query({
    name: `forgive_sign_in_attempt_${how}`,
    text:
      how === "all"
        ? "delete from sign_in_attempts where key = $1"
        : "update sign_in_attempts set count = greatest(count - 1, 0) where key = $1",
    values: [keyOf(kind, name)],
  });
}
