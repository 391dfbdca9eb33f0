import { archiveState } from "#lib/db/archive/state.ts";
import { as, boolean, float, int, json, list, nullable, text } from "#lib/db/connection/columns.ts";
import { defineGet } from "#lib/db/connection/define.ts";
import { isLate } from "#lib/db/job/run.ts";
import { partitionStates } from "#lib/db/partition/states.ts";
import type { Currency } from "#lib/domain/money.ts";

const backlog = json({ due: int, age: float });
const figuresRow = {
  operations: list(json({ state: text, count: int, age: float })),
  held: list(json({ currency: as<Currency>(text), amount: text })),
  deliveries: backlog,
  mails: backlog,
  queue: backlog,
  processes: int,
  workers: int,
  jobs: list(json({ name: text, age: nullable(float), failed: boolean, late: boolean })),
  ledgerDifferences: nullable(int),
  ledgerCheckedAt: nullable(float),
  lastBackupAt: nullable(float),
  archive: nullable(json({ age: float, hasCopy: boolean, problem: nullable(text) })),
  partitions: list(json({ table: text, end: nullable(float), hasStrays: boolean })),
};
const ageOf = (time: string) => `coalesce(extract(epoch from now() - min(${time})), 0)::float8`;

/** When the newest message that was delivered was. Ids grow with time, so few rows are read. */
const lastAcceptedMail = `
  coalesce((select d.sent_at from mails d where d.state = 'sent' order by d.id desc limit 1), '-infinity')`;

// A message waits from its beginning while the mail server accepts none, also between two attempts.
// Deliveries at endpoints that fail or are paused wait for their receivers, not for us.
export const readFigures = defineGet("read_figures", figuresRow)`
      select (select jsonb_agg(jsonb_build_object('state', s.state, 'count', o.count, 'age', o.age))
                from unnest(array['held', 'sent', 'unknown']::operation_state[]) s (state), lateral (
                  select count(*)::int as count, ${ageOf("o.created_at")} as age
                    from operations o join resellers r on r.id = o.reseller_id and r.sandbox_of is null
                   where o.state = s.state and o.settled_at is null) o) as operations,
             (select coalesce(jsonb_agg(jsonb_build_object('currency', h.currency, 'amount', h.amount::text)), '[]') from (
                  select w.currency, sum(w.held) as amount
                    from wallets w join resellers r on r.id = w.reseller_id and r.sandbox_of is null group by 1) h) as held,
             (select jsonb_build_object('due', count(*)::int, 'age', ${ageOf("d.next_attempt_at")})
                from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
                 and coalesce(e.paused_at, e.disabled_at, e.pending_since, e.first_failed_at) is null
               where d.state = 'pending' and d.owner_id is null and d.next_attempt_at <= now()) as deliveries,
             (select jsonb_build_object('due', count(*)::int, 'age', ${ageOf("case when m.refused then m.created_at else m.next_attempt_at end")})
                from (select owner_id, next_attempt_at, created_at, attempt_count > 0 and created_at > ${lastAcceptedMail} as refused
                        from mails where state = 'pending') m
               where m.refused or (m.owner_id is null and m.next_attempt_at <= now())) as mails,
             (select jsonb_build_object('due', q.due, 'age', q.age) from queue_backlog(now()) q) as queue,
             (select count(*)::int from processes p where p.lease_until > clock_timestamp()) as processes,
             (select count(*)::int from processes p where p.lease_until > clock_timestamp() and cardinality(p.job_workers) > 0) as workers,
             (select coalesce(jsonb_agg(jsonb_build_object('name', j.name, 'age', extract(epoch from clock_timestamp() - j.started_at)::float8,
                                                           'failed', j.error is not null, 'late', ${isLate}) order by j.name), '[]')
                from job_runs j) as jobs,
             (select c.differences from ledger_checks c) as "ledgerDifferences",
             (select extract(epoch from c.checked_at)::float8 from ledger_checks c) as "ledgerCheckedAt",
             (select extract(epoch from b.started_at)::float8 from backups b where b.verified and b.error is null order by b.id desc limit 1) as "lastBackupAt",
             ${archiveState} as archive,
             ${partitionStates} as partitions`;
