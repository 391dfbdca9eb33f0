import type { Database } from "#lib/db/connection/client.ts";
import { int, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import { countedPage, countListed, type PageInput } from "#lib/db/connection/listing.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { type VerificationCode, verificationCodes } from "#lib/domain/license-status.ts";

const verificationRow = {
  id: text,
  checkedAt: timestamp,
  code: oneOf(verificationCodes),
  /** The address that verified the license. */
  seenIp: text,
};
export type VerificationRow = RowOf<typeof verificationRow>;

/** A cursor in a license's verifications. */
export interface VerificationPlace {
  readonly checkedAt: Date;
  readonly id: string;
}

const page = `
        select id, checked_at from verifications
         where license_id = $2 and checked_at >= $7 and exists (select from licenses where id = $2 and reseller_id = $1)
           and ($3::text[] is null or code = any ($3))
           and ($4::timestamptz is null or (checked_at, id) < ($4, $5::bigint))
         order by checked_at desc, id desc limit $6`;

const listVerifications = statement("list_verifications", verificationRow)`
      with page as (${page}
      )
      select v.id::text as id, v.checked_at as "checkedAt", v.code, v.seen_ip as "seenIp"
        from page join verifications v on v.id = page.id and v.checked_at = page.checked_at
       order by v.checked_at desc, v.id desc`;

interface VerificationSelection {
  readonly licenseId: number;
  /** Null: all. */
  readonly codes: readonly VerificationCode[] | null;
  readonly since: Date;
}

/** Newest first. Chooses the page by index only, so rows with other codes are not read. */
export function verificationListing(
  db: Database,
  resellerId: ResellerId,
  { licenseId, codes, since }: VerificationSelection,
) {
  function valuesOf({ before, limit }: PageInput<VerificationPlace>) {
    return [resellerId, licenseId, codes, before?.checkedAt, before?.id, limit, since];
  }
  return {
    list: (page: PageInput<VerificationPlace>) => db.query(listVerifications, valuesOf(page)),
    count: () => countListed(db, { text: page }, valuesOf(countedPage)),
  };
}

const verificationCountRow = {
  day: text,
  code: oneOf(verificationCodes),
  count: int,
};
/** Verifications of one UTC day with the same answer. */
export type VerificationCountRow = RowOf<typeof verificationCountRow>;

/** Oldest day first, without zero counts. */
export const countVerifications = defineList("count_verifications", verificationCountRow)<
  [resellerId: ResellerId, licenseId: number, since: Date]
>`
      select to_char(day, 'YYYY-MM-DD') as day, code, count
        from (select date_trunc('day', checked_at, 'UTC') at time zone 'UTC' as day, code, count(*)::int as count
                from verifications
               where license_id = $2 and checked_at >= $3
                 and exists (select from licenses where id = $2 and reseller_id = $1)
               group by 1, 2) counted
       order by 1, 2`;
