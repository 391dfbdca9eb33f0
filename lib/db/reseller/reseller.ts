import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, boolean, int, list, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineGetValue } from "#lib/db/connection/define.ts";
import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import { listing, type PageInput } from "#lib/db/connection/listing.ts";
import { getRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { priceRulesVersion, profileVersion, renewalsVersion } from "./version.ts";

const insertResellerStatement = statement("insert_reseller", {
  resellerId: as<ResellerId>(int),
  userId: nullable(as<UserId>(int)),
})`
      with added as (
        insert into resellers (name, email, currency, notes, created_at) values ($1, $2, $3, $5, $11) returning *
      ), wallet as (
        insert into wallets (reseller_id, currency, minor_digits) select id, $3, $4 from added
      ), person as (
        insert into users (email, name, password_hash, one_time_password_until, role, reseller_id, created_at)
        select $6, $7, $8, $9::timestamptz, 'owner', a.id, $11 from added a where $6::text is not null returning *
      ), person_audited as (
        select p.id, write_audit_entry($10, 'user.create', p.reseller_id, 'user:' || p.id, '',
                 jsonb_build_object('email', p.email, 'role', p.role), $11, $12, p.name),
               case when $13::jsonb is not null then invite_user(p::users, $13, $11) end
          from person p
      )
      select a.id as "resellerId", p.id as "userId",
             write_audit_entry($10, 'reseller.create', a.id, 'reseller:' || a.id, '',
               jsonb_build_object('email', a.email, 'currency', a.currency), $11, $12, a.name)
        from added a left join person_audited p on true`;

/** Adds a reseller with an empty wallet, optionally its first user, and their audit entries. */
export async function insertReseller(
  db: Database,
  reseller: {
    readonly name: string;
    readonly email: string;
    readonly currency: Currency;
    readonly minorDigits: number;
    readonly notes: string;
    readonly user: {
      readonly name: string;
      readonly email: string;
      readonly passwordHash: string;
      readonly oneTimePasswordUntil: Date | null;
      /** A link to set a password (`invite_user.sql`); null: the user has one. */
      readonly invitation: object | null;
    } | null;
  },
  by: ChangedBy,
): Promise<{ readonly resellerId: ResellerId; readonly userId: UserId | null }> {
  const { name, email, currency, minorDigits, notes, user } = reseller;
  const { resellerId, userId } = await getRow(db, insertResellerStatement, [
    name,
    email,
    currency,
    minorDigits,
    notes,
    user?.email ?? null,
    user?.name ?? null,
    user?.passwordHash ?? null,
    user?.oneTimePasswordUntil ?? null,
    ...changeValues(by),
    user?.invitation ? JSON.stringify(user.invitation) : null,
  ]);
  return { resellerId, userId };
}

/**
 * Updates the given fields; without a change, writes no audit entry. False: no such reseller, or another version.
 * @param seenVersion null: any version
 */
export const updateResellerRow = defineAny("update_reseller").values(
  (
    resellerId: ResellerId,
    change: { readonly name?: string; readonly email?: string; readonly notes?: string },
    seenVersion: string | null,
    by: ChangedBy,
  ) => [resellerId, change.name ?? null, change.email ?? null, change.notes ?? null, ...changeValues(by), seenVersion],
)`
      with old as (
        select r.* from resellers r
         where r.id = $1 and ($8::text is null or ${profileVersion} = $8) for no key update
      ), changed as (
        update resellers r set name = coalesce($2, r.name), email = coalesce($3, r.email), notes = coalesce($4, r.notes)
          from old where r.id = old.id
        returning r.id, r.name,
                  changes_between(jsonb_build_object('name', old.name, 'email', old.email, 'notes', old.notes),
                                  jsonb_build_object('name', r.name, 'email', r.email, 'notes', r.notes)) as changes
      )
      select c.id, case when c.changes <> '{}' then
               write_audit_entry($5, 'reseller.update', c.id, 'reseller:' || c.id, '', jsonb_build_object('changes', c.changes), $6, $7, c.name) end
        from changed c`;

/** Idempotent. False: no such reseller. */
export const updateResellerSuspension = defineGetValue("suspend_reseller", { exists: boolean }).values(
  (
    resellerId: ResellerId,
    { suspended, reason, by }: { readonly suspended: boolean; readonly reason: string; readonly by: ChangedBy },
  ) => [resellerId, suspended, reason, ...changeValues(by)],
)`
      with changed as (
        update resellers r set suspended_at = case when $2 then $5::timestamptz end, suspension_reason = case when $2 then $3 else '' end
         where r.id = $1 and (r.suspended_at is not null) <> $2 returning r.id, r.name
      ), audited as (
        select write_audit_entry($4, case when $2 then 'reseller.suspend' else 'reseller.unsuspend' end, c.id, 'reseller:' || c.id, $3,
                                 '{}', $5, $6, c.name)
          from changed c
      )
      select exists (select from resellers where id = $1) and (select count(*) from audited) >= 0 as exists`;

const resellerRow = {
  resellerId: as<ResellerId>(int),
  name: text,
  email: text,
  currency: as<Currency>(text),
  /** For admins only. */
  notes: text,
  suspendedAt: nullable(timestamp),
  suspensionReason: text,
  expiringSoonDays: list(int),
  /** Days before its end at which a license with auto-renew is renewed. */
  renewAheadDays: int,
  priceNoticeDays: int,
  maxIncreasePercent: nullable(int),
  createdAt: timestamp,
  posted: bigint,
  held: bigint,
  /** Set by the reseller; null: none. */
  lowBalanceThreshold: nullable(bigint),
  /** The reseller of a sandbox; null: this one is live. */
  sandboxOf: nullable(as<ResellerId>(int)),
  /** Of name, email address and notes. */
  profileVersion: text,
  /** Of the renewal settings. */
  renewalsVersion: text,
  /** Of what automatic renewals may charge. */
  priceRulesVersion: text,
};
export type ResellerRow = RowOf<typeof resellerRow>;

const resellers = `
  select r.id as "resellerId", r.name, r.email, r.currency, r.notes, r.suspended_at as "suspendedAt",
         r.suspension_reason as "suspensionReason", r.expiring_soon_days as "expiringSoonDays",
         r.renew_ahead_days as "renewAheadDays", r.price_notice_days as "priceNoticeDays",
         r.max_increase_percent as "maxIncreasePercent", r.created_at as "createdAt",
         w.posted, w.held, w.low_balance_threshold as "lowBalanceThreshold", r.sandbox_of as "sandboxOf",
         ${profileVersion} as "profileVersion", ${renewalsVersion} as "renewalsVersion",
         ${priceRulesVersion} as "priceRulesVersion"
    from resellers r join wallets w on w.reseller_id = r.id`;

export const findReseller = defineFind("find_reseller", resellerRow)<[resellerId: ResellerId]>`
      ${resellers} where r.id = $1`;

const found = `${resellers}
   where r.sandbox_of is null and ($2::text is null or r.name ilike $2 or r.email ilike $2)
     and (not $4 or w.posted - w.held < w.low_balance_threshold)`;

const listResellersByAge = statement("list_resellers_by_age", resellerRow)`${found}
     and ($1::int is null or r.id < $1) order by r.id desc limit $3`;

const listResellersByName = statement("list_resellers_by_name", resellerRow)`${found}
     and ($1::int is null or (lower(r.name), r.id) > (select lower(b.name), b.id from resellers b where b.id = $1))
   order by lower(r.name), r.id limit $3`;

/**
 * Newest first, or by name. `before`: those that follow this id; `text`: part of name or email address; `low`: only those
 * whose balance is below their threshold; `limit` `Infinity`: all.
 */
export function resellerListing(
  db: Database,
  {
    text,
    low = false,
    byName = false,
  }: { readonly text: string | null; readonly low?: boolean; readonly byName?: boolean },
) {
  const pattern = text === null ? null : `%${escapeLikePattern(text)}%`;
  const listedBy = (list: typeof listResellersByAge) =>
    listing(db, ({ before, limit }: PageInput<number>) => [
      list,
      [before, pattern, Number.isFinite(limit) ? limit : null, low],
    ]);
  const byAge = listedBy(listResellersByAge);
  return byName ? { ...byAge, list: listedBy(listResellersByName).list } : byAge;
}
