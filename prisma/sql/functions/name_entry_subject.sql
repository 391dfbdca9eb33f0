-- Trigger: a ledger entry keeps the names that its operation's subject has when it is posted, so that a statement never
-- changes: `Mail Gateway on mx1.example.com`, product or bundle, and host name or address.
-- Raises nothing.
create or replace function name_entry_subject() returns trigger language plpgsql as $$
begin
  new.subject_label := (
    select coalesce(p.name || ' on ' || coalesce(nullif(l.hostname, ''), l.ip_address), b.name || ' on ' || i.ip_address)
      from operations o
      left join licenses l on l.id = o.license_id and l.reseller_id = o.reseller_id left join products p on p.id = l.product_id
      left join bundle_instances i on i.id = o.bundle_instance_id and i.reseller_id = o.reseller_id left join bundles b on b.id = i.bundle_id
     where o.id = new.operation_id and o.reseller_id = new.reseller_id);
  return new;
end $$;
