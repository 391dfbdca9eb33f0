import type { Database } from "#lib/db/connection/client.ts";
import { int } from "#lib/db/connection/columns.ts";
import { defineListValues, defineRun } from "#lib/db/connection/define.ts";
import { getRow, statement } from "#lib/db/connection/statement.ts";

const MS_PER_DAY = 24 * 60 * 60 * 1000;
/** How far back the first round reaches. */
const FIRST_ROUND_MS = MS_PER_DAY;

/** Contract 1.10. */
const timestampOf = (instant: string) => `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const needsNotice = `
  $5 = any (r.expiring_soon_days) and l.expires_at > $4 and make_interval(days => $5) < make_interval(months => c.months)
  and not exists (select from unnest(r.expiring_soon_days) nearer
                   where nearer < $5 and l.expires_at <= $4::timestamptz + make_interval(days => nearer))`;

const startNotice = defineRun("start_notice").values((notice: string, until: Date) => [
  notice,
  new Date(until.getTime() - FIRST_ROUND_MS),
])`insert into notice_progress (notice, emitted_until) values ($1, $2) on conflict (notice) do nothing`;

/** A notice, and the range of ends that it covers. */
export interface NoticeRound {
  /** Days before the end; null: at the end. */
  readonly daysBefore: number | null;
  readonly now: Date;
  readonly limit: number;
}

/** The days at which any reseller wants a notice, ascending. */
export const listNoticeDays = defineListValues("list_notice_days", { days: int })`
      select distinct unnest(expiring_soon_days) as days from resellers order by 1`;

const EXPIRED = "license.expired";
const EXPIRING = "license.expiring_soon";
const noticeOf = (daysBefore: number | null) => (daysBefore === null ? EXPIRED : `${EXPIRING}:${daysBefore}`);

/** Deletes the progress of days that nobody uses, so that they start afresh when chosen again. `days`: `listNoticeDays`. */
export const forgetUnusedNotices = defineRun("forget_unused_notices").values((days: readonly number[]) => [
  [null, ...days].map(noticeOf),
])`delete from notice_progress where notice <> all ($1::text[])`;

const noticeStatement = (kind: typeof EXPIRED | typeof EXPIRING) => {
  const expired = kind === EXPIRED;
  return statement(`emit_next_${expired ? "expired" : "expiring_soon"}`, { seen: int, emitted: int })`
      with progress as (
        select * from notice_progress where notice = $1 for update skip locked
      ), ended as materialized (
        select l.* from licenses l
         where (l.expires_at, l.id) > ((select emitted_until from progress), (select emitted_license_id from progress))
           and l.expires_at <= $2
         order by l.expires_at, l.id limit $3
      ), emitted as (
        insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, once_key, occurred_at)
        select gen_random_uuid(), l.reseller_id, '${kind}',
               jsonb_build_object('license_id', 'lic_' || l.id, 'type', p.slug,
                                  'server', coalesce(nullif(l.hostname, ''), l.ip_address),
                                  'expires_at', ${timestampOf("l.expires_at")}, 'auto_renew', coalesce(b.auto_renew, l.auto_renew)
                                  ${expired ? "" : `, 'days_left', ceil(extract(epoch from l.expires_at - $4::timestamptz) / 86400)::int`}),
               l.id, l.bundle_instance_id, '${kind}:' || l.id || ':' || ${timestampOf("l.expires_at")}${expired ? "" : ` || ':' || $5::int`}, $4
          from ended l
          join products p on p.id = l.product_id
          join resellers r on r.id = l.reseller_id
          left join bundle_instances b on b.id = l.bundle_instance_id and b.reseller_id = l.reseller_id
          join billing_cycles c on c.id = coalesce(l.cycle_id, b.cycle_id)
         where l.provisioned_at is not null and l.terminated_at is null ${expired ? "" : `and ${needsNotice}`}
        on conflict (once_key) where once_key is not null do nothing returning 1
      ), moved as (
        update notice_progress n set
            (emitted_until, emitted_license_id) = (
              select case when count(*) = $3 then max(e.expires_at) else $2 end,
                     case when count(*) = $3 then (select last.id from ended last order by last.expires_at desc, last.id desc limit 1) else 0 end
                from ended e)
          from progress where n.notice = progress.notice
      )
      select (select count(*)::int from ended) as seen, (select count(*)::int from emitted) as emitted`;
};
const emitNextExpired = noticeStatement(EXPIRED);
const emitNextExpiring = noticeStatement(EXPIRING);

/**
 * Emits the events of the next ends of terms, in the order (expires_at, id), and stores its progress in the same
 * statement. If the clock was set back, so is the progress; what is seen twice is emitted once. Concurrent callers get
 * 0. `seen` below `limit` means that everything has been emitted. Emits `license.expired` once per end of a term, and
 * `license.expiring_soon` once per day count that the reseller chose. Skips day counts that are not shorter than the
 * license's cycle, and those superseded by a nearer notice that is also due.
 */
export async function emitNextNotices(
  db: Database,
  { daysBefore, now, limit }: NoticeRound,
): Promise<{ readonly seen: number; readonly emitted: number }> {
  const expired = daysBefore === null;
  const notice = noticeOf(daysBefore);
  const until = new Date(now.getTime() + (daysBefore ?? 0) * MS_PER_DAY);
  await startNotice(db, notice, until);
  return getRow(db, expired ? emitNextExpired : emitNextExpiring, [
    notice,
    until,
    limit,
    now,
    ...(expired ? [] : [daysBefore]),
  ]);
}
