-- Locks the operations of `settle_operations` that are open and belong to the given claim, with their bundles and licenses.
-- Returns them in the order of the list, each once, with what the steps of a settlement read; null if there are none:
-- [{place, id, reseller_id, kind, license_id, bundle_instance_id, hold_amount, charged, actor, limited, effects, references,
-- failure_message, succeeded, reconciled, now}]. `limited`: by an API key with a spending limit.
-- Raises nothing.
create or replace function lock_settlements(p_settlements jsonb) returns jsonb language plpgsql as $$
declare
  settled jsonb;
  ids uuid[];
  licenses int[];
begin
  select jsonb_agg(to_jsonb(locked) order by locked.place), array_agg(locked.id) into settled, ids
    from (select distinct on (o.id) s.place, o.id, o.reseller_id, o.kind, o.license_id, o.bundle_instance_id, o.hold_amount,
                 case when s.succeeded then o.price else 0 end as charged, o.actor, o.spending_key_id is not null as limited,
                 case when s.succeeded then o.plan -> 'onSuccess' when s.unsent then (o.plan -> 'onRejection') - 'events'
                      else o.plan -> 'onRejection' end as effects,
                 s."references", s."failureMessage" as failure_message, s.succeeded, s.reconciled, s.now
            from (select s.* from jsonb_to_recordset(p_settlements) as s (
                    place int, id uuid, "resellerId" int, token uuid, succeeded boolean, unsent boolean, "failureMessage" text,
                    "references" jsonb, reconciled boolean, now timestamptz)
                   order by s.id, s.place) s
           -- Tests `state`: a condition on `settled_at` could read the index of open operations, which has an entry for every
           -- operation since it was last vacuumed.
           cross join lateral (
             select o.* from operations o
              where o.id = s.id and o.reseller_id is not distinct from s."resellerId" and o.lease_token = s.token
                and o.state in ('held', 'sent', 'unknown')
                for no key update) o
           order by o.id, s.place) locked;
  licenses := licenses_of_operations(settled);
  -- A bundle of which only a member changes, too: `apply_effects` writes its price.
  if settled @? '$[*] ? (@.bundle_instance_id != null || exists (@.effects.licenses[*].renewalPriceChange))' then
    perform from bundle_instances b
      where b.id = any (array(select i.id from bundle_instances i where i.open_operation_id = any (ids)
                              union all
                              select l.bundle_instance_id from licenses l where l.id = any (licenses) and l.open_operation_id = any (ids)))
      order by b.id for no key update;
  end if;
  perform from licenses l where l.id = any (licenses) and l.open_operation_id = any (ids) order by l.id for no key update;
  return settled;
end $$;
