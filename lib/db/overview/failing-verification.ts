import { int, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";

const failingVerification = {
  code: oneOf(["IP_MISMATCH", "EXPIRED"]),
  bound: text,
  seen: text,
  licenses: int,
  /** One of them. */
  licenseId: int,
  /** Their first failure of the last 24 hours. */
  since: timestamp,
};
/** Licenses bound to one address that fail on one address for the same reason. */
export type FailingVerification = RowOf<typeof failingVerification>;

/** Failures beyond the newest are not read. */
const MOST_READ = 1_000;

/**
 * Failures of the last 24 hours that would fail again, the newest first. Without those that an agent reports as its
 * server's other address, and without suspended and terminated licenses: those fail on purpose.
 */
export const listFailingVerifications = defineList("list_failing_verifications", failingVerification).values(
  (resellerId: ResellerId, now: Date, limit: number) => [resellerId, now, MOST_READ, limit],
)`
      with failed as (
        select license_id, seen_ip, code, checked_at from verifications
         where reseller_id = $1 and code in ('IP_MISMATCH', 'EXPIRED') and license_id is not null
           and checked_at > $2::timestamptz - interval '24 hours'
         order by checked_at desc limit $3
      )
      select f.code, l.ip_address as bound, f.seen_ip as seen, count(distinct l.id)::int as licenses,
             min(l.id) as "licenseId", min(f.checked_at) as since
        from failed f join licenses l on l.id = f.license_id and l.reseller_id = $1
       where l.terminated_at is null and l.suspended_at is null
         and case f.code
               when 'EXPIRED' then l.expires_at <= $2
               else l.expires_at > $2 and f.seen_ip <> l.ip_address
                    and not exists (select from servers s
                                     where s.reseller_id = $1 and s.address = l.ip_address
                                       and 'address' = any (s.problems))
             end
       group by 1, 2, 3 order by max(f.checked_at) desc, 2, 3 limit $4`;
