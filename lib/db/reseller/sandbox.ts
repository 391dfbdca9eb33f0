import type { Database } from "#lib/db/connection/client.ts";
import { as, boolean, int, nullable, oneOf } from "#lib/db/connection/columns.ts";
import { defineFind, defineFindValue, defineGetValue, defineRun } from "#lib/db/connection/define.ts";
import { getRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import { rehearsedOutcomes } from "#lib/domain/simulation.ts";

/** Whether a row with a reseller is not of a sandbox. */
export const isLive = (row: string): string =>
  `${row}.reseller_id not in (select s.id from resellers s where s.sandbox_of is not null)`;

interface Opening {
  /** Minor units. */
  readonly playMoney: bigint;
  readonly actor: string;
  readonly now: Date;
}

/** The reseller's sandbox, created at the first call (docs/decisions/0049). */
export const openSandbox = defineGetValue("open_sandbox", { id: as<ResellerId>(int) }).values(
  (resellerId: ResellerId, { playMoney, actor, now }: Opening) => [resellerId, playMoney, actor, now],
)`
      select open_sandbox($1, $2, $3, $4) as id`;

/** Of the sandbox $1 at a time: whether a maximum of its reseller's sandboxes have been replaced within a day. */
const exhaustion = (now: string, maxPerDay: string) => `
        select count(*) >= ${maxPerDay} as exhausted from resellers r join resellers s on s.sandbox_of = r.sandbox_of
         where s.id = $1 and r.sandbox_closed_at > ${now}::timestamptz - interval '1 day' and s.sandbox_closed_at is null`;

const checkSandboxResets = statement("check_sandbox_resets", { exhausted: boolean })`${exhaustion("$2", "$3")}`;

/** Whether `resetSandboxRow` would return true. */
export async function canResetSandbox(
  db: Database,
  sandboxId: ResellerId,
  { now, maxPerDay }: { readonly now: Date; readonly maxPerDay: number },
): Promise<boolean> {
  return !(await getRow(db, checkSandboxResets, [sandboxId, now, maxPerDay])).exhausted;
}

const resetSandboxStatement = statement("reset_sandbox", { exhausted: boolean, opened: nullable(int) })`
      with recent as (${exhaustion("$4", "$5")}
      )
      select exhausted, case when not exhausted then reset_sandbox($1, $2, $3, $4) end as opened from recent`;

/**
 * Replaces the sandbox, unless it has been replaced before. False: `maxPerDay` sandboxes of its reseller have been
 * replaced within a day.
 */
export async function resetSandboxRow(
  db: Database,
  sandboxId: ResellerId,
  opening: Opening & { readonly maxPerDay: number },
): Promise<boolean> {
  const { playMoney, actor, now, maxPerDay } = opening;
  return !(await getRow(db, resetSandboxStatement, [sandboxId, playMoney, actor, now, maxPerDay])).exhausted;
}

/** Moves a license, or its bundle, ahead to the given end of its term. False: not now, or not in this sandbox. */
export const advanceLicenseRow = defineGetValue("advance_license", { advanced: boolean })<
  [sandboxId: ResellerId, licenseId: LicenseId, endsAt: Date]
>`
      select advance_license($1, $2, $3) as advanced`;

const rehearsal = { outcome: oneOf(rehearsedOutcomes), remaining: int };
export type Rehearsal = RowOf<typeof rehearsal>;

export const findRehearsal = defineFind("find_rehearsal", rehearsal)<[sandboxId: ResellerId]>`
      select outcome, remaining from rehearsals where reseller_id = $1 and remaining > 0`;

export const setRehearsalRow = defineRun("set_rehearsal").values((sandboxId: ResellerId, next: Rehearsal) => [
  sandboxId,
  next.outcome,
  next.remaining,
])`
      insert into rehearsals (reseller_id, outcome, remaining) values ($1, $2, $3)
      on conflict (reseller_id) do update set outcome = excluded.outcome, remaining = excluded.remaining`;

/** Counts one request about a license against its sandbox's rehearsal. Null: none is left. */
export const takeRehearsal = defineFindValue("take_rehearsal", { outcome: oneOf(rehearsedOutcomes) })<
  [licenseKey: string]
>`
      update rehearsals r set remaining = r.remaining - 1 from licenses l
       where l.key = $1 and r.reseller_id = l.reseller_id and r.remaining > 0 returning r.outcome`;
