import { createHash } from "node:crypto";
import type { Database } from "#lib/db/connection/client.ts";
import { bytes, int } from "#lib/db/connection/columns.ts";
import { defineRun } from "#lib/db/connection/define.ts";
import { safeModeStatement } from "#lib/db/connection/statement.ts";
import {
  type AttemptKind,
  SIGN_IN_ATTEMPT_TTL_MS,
  type SignInAllowance,
  signInAllowances,
} from "#lib/domain/sign-in-limit.ts";

export interface AttemptSubject {
  readonly kind: AttemptKind;
  readonly name: string;
}

function keyOf({ kind, name }: AttemptSubject): Buffer {
  return createHash("sha256").update(`${kind}:${name}`).digest();
}

function mostOf({ kind }: AttemptSubject): number | null {
  const allowance: SignInAllowance = signInAllowances[kind];
  return allowance.most ?? null;
}

const countSignInAttempts = safeModeStatement("count_sign_in_attempts", { key: bytes, count: int })`
      insert into sign_in_attempts as a (key, count, last_at)
      select key, 1, clock_timestamp() from unnest($1::bytea[]) as subject (key) order by key
      on conflict (key) do update set
          count = case when a.last_at <= clock_timestamp() - make_interval(secs => $2) then 1 else least(a.count + 1, 1000000) end,
          last_at = case when a.last_at > clock_timestamp() - make_interval(secs => $2)
                          and a.count >= (select most from unnest($1::bytea[], $3::int[]) as used_up (key, most) where used_up.key = a.key)
                    then a.last_at else clock_timestamp() end
      returning key, count`;

/**
 * Counts an attempt before the password is checked, so that concurrent attempts gain nothing. `forgiveAttempts` reverts
 * it. Returns, per subject, the number of earlier attempts that were not forgiven. Once they are used up, another one does
 * not prolong that.
 */
export async function countAttempts(db: Database, subjects: readonly AttemptSubject[]): Promise<readonly number[]> {
  const keys = subjects.map(keyOf);
  const rows = await db.query(countSignInAttempts, [keys, SIGN_IN_ATTEMPT_TTL_MS / 1_000, subjects.map(mostOf)]);
  return keys.map((key) => (rows.find((row) => row.key.equals(key))?.count ?? 1) - 1);
}

const forgiveStatements = {
  all: safeModeStatement("forgive_sign_in_attempts_all")`delete from sign_in_attempts where key = any ($1::bytea[])`,
  one: safeModeStatement(
    "forgive_sign_in_attempts_one",
  )`update sign_in_attempts set count = greatest(count - 1, 0) where key = any ($1::bytea[])`,
};

/** `all`: clears the counts. `one`: reverts this attempt, which was no guess. */
export async function forgiveAttempts(
  db: Database,
  subjects: readonly AttemptSubject[],
  how: "all" | "one",
): Promise<void> {
  await db.query(forgiveStatements[how], [subjects.map(keyOf)]);
}

/** For a user whose password was replaced. Users who share the address share the count, so it remains. */
export const forgiveAccount = defineRun("forgive_account", safeModeStatement).values((email: string) => [
  keyOf({ kind: "account", name: email }),
  email,
])`delete from sign_in_attempts where key = $1 and (select count(*) from users where email = $2) < 2`;

/** An audit entry for each user of the email address, at most once an hour. What was typed is not kept. `issuer` null: by password. */
export const recordRefusedSignIn = defineRun("record_refused_sign_in", safeModeStatement).values(
  (email: string, { address, issuer }: { readonly address: string; readonly issuer: string | null }) => [
    email,
    address,
    issuer,
  ],
)`
      select write_audit_entry('system:visitor', 'session.refuse_sign_in', u.reseller_id, 'user:' || u.id, '',
                               jsonb_strip_nulls(jsonb_build_object('issuer', $3::text)), clock_timestamp(), ' from ' || $2::text, u.name)
        from users u
       where u.email = $1 and not exists (
               select from audit_entries a
                where a.subject = 'user:' || u.id and a.action = 'session.refuse_sign_in'
                  and a.created_at > clock_timestamp() - interval '1 hour')`;
