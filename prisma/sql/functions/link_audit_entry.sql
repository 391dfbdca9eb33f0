-- Trigger: links a new audit entry to the chain. It runs at the end of the transaction, because transactions wait here for
-- each other; so links are in the order of commits, and no other lock is taken under this one.
-- Raises nothing.
create or replace function link_audit_entry() returns trigger language plpgsql as $$
declare
  last audit_links;
begin
  perform pg_advisory_xact_lock(hashtext('link_audit_entry'));
  select * into last from audit_links order by position desc limit 1;
  insert into audit_links (position, entry_id, hash)
  values (coalesce(last.position, 0) + 1, new.id,
          sha256(coalesce(last.hash, '') || convert_to(audit_entry_text(new), 'UTF8')));
  return null;
end $$;
