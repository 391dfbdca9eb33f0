import { defineList } from "#lib/db/connection/define.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { foundRow, MAX_FOUND, ofReseller, resellerColumns } from "./found.ts";

/** `patterns`: of LIKE, each of which has to match. */
export const findResellers = defineList("find_resellers", foundRow).values(
  (names: { readonly id: number | null; readonly patterns: readonly string[] }) => [names.patterns, names.id],
)`
      select r.id::text as id, r.name as label, r.email as detail, null::int as "resellerId", null::text as "resellerName"
        from resellers r
       where r.sandbox_of is null and ((r.name || ' ' || r.email) ilike all ($1::text[]) or r.id = $2)
       order by r.id desc limit ${String(MAX_FOUND)}`;

/** `resellerId` null, here and below: any. */
export const findUsers = defineList("find_users", foundRow)<
  [resellerId: ResellerId | null, patterns: readonly string[]]
>`
      select u.email as id, u.name as label, u.email as detail, r.id as "resellerId", r.name as "resellerName"
        from users u left join resellers r on r.id = u.reseller_id
       where ($1::int is null or u.reseller_id = $1) and (u.name || ' ' || u.email) ilike all ($2::text[])
       order by u.id desc limit ${String(MAX_FOUND)}`;

/** `hint`: of a whole key. */
export const findApiKeys = defineList("find_api_keys", foundRow).values(
  (resellerId: ResellerId | null, names: { readonly patterns: readonly string[]; readonly hint: string | null }) => [
    resellerId,
    names.patterns,
    names.hint,
  ],
)`
      select k.id::text as id, k.name as label, k.hint as detail, ${resellerColumns}
        from api_keys k join resellers r on r.id = k.reseller_id
       where ${ofReseller} and ((k.name || ' ' || k.hint) ilike all ($2::text[]) or k.hint = $3)
       order by k.revoked_at is not null, k.id desc limit ${String(MAX_FOUND)}`;

export const findEndpoints = defineList("find_endpoints", foundRow).values(
  (resellerId: ResellerId | null, names: { readonly patterns: readonly string[]; readonly id: number | null }) => [
    resellerId,
    names.patterns,
    names.id,
  ],
)`
      select 'whe_' || e.id as id, case when e.description = '' then e.url else e.description end as label, e.url as detail,
             ${resellerColumns}
        from webhook_endpoints e join resellers r on r.id = e.reseller_id
       where ${ofReseller} and ((e.description || ' ' || e.url) ilike all ($2::text[]) or e.id = $3)
       order by e.id desc limit ${String(MAX_FOUND)}`;
