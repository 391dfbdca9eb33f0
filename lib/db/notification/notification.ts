import { as, int, jsonObject, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineGet, defineList, defineRun } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { type NotificationKind, notificationKinds, notifiedEvents } from "#lib/domain/notification.ts";

const notification = {
  id: text,
  kind: oneOf(notificationKinds),
  at: timestamp,
  data: jsonObject,
  licenseId: nullable(int),
  /** Its host name or address; null without a license. */
  server: nullable(text),
  /** Its product, or the one that no license came of. */
  name: nullable(text),
};
export type NotificationRow = RowOf<typeof notification>;

/** As in the partial index `events_notified`. */
const isNotified = `e.kind in (${Object.keys(notifiedEvents)
  .map((kind) => `'${kind}'`)
  .join(", ")})`;

export interface NotificationFilter {
  readonly kinds: readonly NotificationKind[];
  readonly since: Date;
  readonly limit: number;
}

/** Newest first. Webhook endpoints while they are disabled. */
export const listResellerRows = defineList("list_reseller_notifications", notification).values(
  (resellerId: ResellerId, { kinds, since, limit }: NotificationFilter) => [resellerId, kinds, since, limit],
)`
      with found as (
        (select 'event ' || e.id as id, e.sequence as place, e.kind, e.occurred_at as at, e.data, e.license_id
           from events e
          where e.reseller_id = $1 and ${isNotified} and e.kind = any ($2) and e.test_endpoint_id is null and e.occurred_at > $3
          order by e.occurred_at desc, e.sequence desc limit $4)
        union all
        select 'endpoint ' || w.id, w.id, 'webhook.disabled', w.disabled_at,
               jsonb_build_object('endpoint_id', w.id, 'name', coalesce(nullif(w.description, ''), substring(w.url from '^https?://([^/?#]+)'))),
               null
          from webhook_endpoints w
         where w.reseller_id = $1 and w.disabled_at > $3 and 'webhook.disabled' = any ($2)
        union all
        select 'top-up ' || t.id, t.id, 'top_up.declined', t.decided_at,
               jsonb_build_object('amount', t.amount::text, 'currency', r.currency, 'note', t.decision_note), null
          from top_up_requests t join resellers r on r.id = t.reseller_id
         where t.reseller_id = $1 and t.state = 'declined' and t.decided_at > $3 and 'top_up.declined' = any ($2)
      ), newest as (
        select * from found order by at desc, place desc, id limit $4
      )
      select n.id, n.kind, n.at, n.data, l.id as "licenseId", coalesce(nullif(l.hostname, ''), l.ip_address) as server, p.name
        from newest n
        left join licenses l on l.id = n.license_id and l.reseller_id = $1
        left join products p on p.id = l.product_id or (l.id is null and p.slug = n.data ->> 'type')
       order by n.at desc, n.place desc, n.id`;

/** Newest first. Cases and requests while they wait. */
export const listAdminRows = defineList("list_admin_notifications", notification).values(
  ({ kinds, since, limit }: NotificationFilter) => [kinds, since, limit],
)`
      with found as (
        (select 'case ' || c.id as id, c.id as place, 'case.opened' as kind, c.first_seen_at as at,
                jsonb_build_object('case_id', c.id, 'kind', c.kind, 'provider', c.provider, 'reference', c.reference, 'reseller', r.name) as data,
                c.license_id
           from reconciliation_cases c left join resellers r on r.id = c.reseller_id
          where c.resolved_at is null and c.first_seen_at > $2 and 'case.opened' = any ($1)
          order by c.first_seen_at desc, c.id desc limit $3)
        union all
        (select 'top-up ' || t.id, t.id, 'top_up.requested', t.created_at,
                jsonb_build_object('amount', t.amount::text, 'currency', r.currency, 'reseller', r.name), null
           from top_up_requests t join resellers r on r.id = t.reseller_id
          where t.state = 'requested' and t.created_at > $2 and 'top_up.requested' = any ($1)
          order by t.id desc limit $3)
        union all
        select 'problems ' || min(m.id), min(m.id), 'system.problems', m.created_at, m.data, null
          from mails m
         where m.kind = 'system_problems' and m.created_at > $2 and 'system.problems' = any ($1)
         group by m.created_at, m.data
      )
      select f.id, f.kind, f.at, f.data, l.id as "licenseId", coalesce(nullif(l.hostname, ''), l.ip_address) as server, p.name
        from found f
        left join licenses l on l.id = f.license_id
        left join products p on p.id = l.product_id
       order by f.at desc, f.place desc, f.id limit $3`;

const isSandbox = "exists (select from resellers r where r.id = $2 and r.sandbox_of is not null)";

/** A single notification that differs from the mark, while it is about nothing newer than `at`: ISO 8601. */
export interface MarkException {
  readonly at: string;
  readonly unread: boolean;
}

const mark = { readUntil: timestamp, exceptions: as<Readonly<Record<string, MarkException>>>(jsonObject) };
export type NotificationMark = RowOf<typeof mark>;

/** What is newer than `readUntil` is unread. Nothing from before the user existed is. */
export const getNotificationMark = defineGet("find_notification_mark", mark)<
  [userId: UserId, resellerId: ResellerId | null]
>`
      select coalesce(m.read_until, u.created_at) as "readUntil", coalesce(m.exceptions, '{}') as exceptions
        from users u left join notification_marks m on m.user_id = u.id and m.of_sandbox = ${isSandbox}
       where u.id = $1`;

const exceptionsThat = (condition: string) =>
  `(select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(m.exceptions) where ${condition})`;

/** Never back. */
export const updateReadUntil = defineRun("set_notification_mark")<
  [userId: UserId, resellerId: ResellerId | null, until: Date]
>`
      insert into notification_marks as m (user_id, of_sandbox, read_until) values ($1, ${isSandbox}, $3)
      on conflict (user_id, of_sandbox) do update
         set read_until = greatest(m.read_until, excluded.read_until),
             exceptions = ${exceptionsThat("not (value ->> 'unread')::boolean")}`;

/** Forgets those from before `keptSince`. */
export const updateMarkException = defineRun("set_notification_exception").values(
  (
    userId: UserId,
    resellerId: ResellerId | null,
    { id, exception, keptSince }: { readonly id: string; readonly exception: MarkException; readonly keptSince: Date },
  ) => [userId, resellerId, id, JSON.stringify(exception), keptSince],
)`
      insert into notification_marks as m (user_id, of_sandbox, read_until, exceptions)
      select u.id, ${isSandbox}, u.created_at, jsonb_build_object($3::text, $4::jsonb) from users u where u.id = $1
      on conflict (user_id, of_sandbox) do update
         set exceptions = ${exceptionsThat("(value ->> 'at')::timestamptz > $5::timestamptz")} || excluded.exceptions`;
