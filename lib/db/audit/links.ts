import type { Database } from "#lib/db/connection/client.ts";
import { bigint, bytes, int, nullable, text } from "#lib/db/connection/columns.ts";
import { defineGetValue } from "#lib/db/connection/define.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";

const auditLink = {
  position: bigint,
  entryId: bigint,
  hash: bytes,
  /** What the hash covers, with the previous hash; null: the entry is missing. */
  text: nullable(text),
};
export type AuditLinkRow = RowOf<typeof auditLink>;

/** As `audit_entry_text` writes it, without a function that the owner of the database could replace. */
const listAuditLinks = statement("list_audit_links", auditLink)`
      select l.position, l.entry_id as "entryId", l.hash,
             case when e.id is not null then pg_catalog.jsonb_build_object(
               'id', e.id,
               'at', pg_catalog.to_char(pg_catalog.timezone('UTC', e.created_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
               'actor', e.actor, 'acting_as_reseller_id', e.acting_as_reseller_id, 'action', e.action,
               'reseller_id', e.reseller_id, 'subject', e.subject, 'subject_label', e.subject_label, 'reason', e.reason,
               'data', e.data, 'request_id', e.request_id, 'address', e.address)::pg_catalog.text end as text
        from audit_links l left join audit_entries e on e.id = l.entry_id
       where l.position > $1 order by l.position limit $2`;

const PAGE_SIZE = 1_000;

/** All links in order, page by page, in constant memory. */
export async function* streamAuditLinks(db: Database): AsyncGenerator<AuditLinkRow[]> {
  for (let after = 0n, more = true; more; ) {
    const links = await db.query(listAuditLinks, [after, PAGE_SIZE]);
    yield links;
    after = links.at(-1)?.position ?? after;
    more = links.length === PAGE_SIZE;
  }
}

/** Entries that were written past the chain. */
export const countUnlinkedEntries = defineGetValue("count_unlinked_audit_entries", { count: int })`
      select count(*)::int as count from audit_entries e where not exists (select from audit_links l where l.entry_id = e.id)`;
