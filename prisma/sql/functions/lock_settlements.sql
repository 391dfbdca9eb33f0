-- Locks the operations of `settle_operations` that are open and belong to the given claim, with their bundles and licenses.
-- Returns them in the order of the list, each once, with what the steps of a settlement read; null if there are none:
-- [{place, id, reseller_id, kind, license_id, bundle_instance_id, hold_amount, charged, actor, effects, references,
-- failure_message, succeeded, reconciled, now}].
-- Raises nothing.
create or replace function lock_settlements(p_settlements jsonb) returns jsonb language plpgsql as $$
declare
  locked uuid[];
begin
  -- The state is tested by `settled_at`: a condition on `state` would read the index of open operations, with an entry for
  -- every operation since it was last vacuumed.
  locked := array(
    select o.id from jsonb_to_recordset(p_settlements) as s (id uuid, "resellerId" int, token uuid)
      join operations o on o.id = s.id and o.reseller_id is not distinct from s."resellerId" and o.lease_token = s.token and o.settled_at is null
     order by o.id for no key update of o);
  if locked = '{}' then return null; end if;
  perform from bundle_instances b where b.open_operation_id = any (locked) order by b.id for no key update;
  perform from licenses l where l.open_operation_id = any (locked) order by l.id for no key update;

  return (
    select jsonb_agg(to_jsonb(settled) order by settled.place)
      from (select distinct on (o.id) s.place, o.id, o.reseller_id, o.kind, o.license_id, o.bundle_instance_id, o.hold_amount,
                   case when s.succeeded then o.price else 0 end as charged, o.actor,
                   o.plan -> case when s.succeeded then 'onSuccess' else 'onRejection' end as effects,
                   s."references", s."failureMessage" as failure_message, s.succeeded, s.reconciled, s.now
              from jsonb_to_recordset(p_settlements) as s (
                     place int, id uuid, "resellerId" int, token uuid, succeeded boolean, "failureMessage" text, "references" jsonb,
                     reconciled boolean, now timestamptz)
              join operations o on o.id = s.id and o.reseller_id is not distinct from s."resellerId" and o.lease_token = s.token and o.settled_at is null
             order by o.id, s.place) settled);
end $$;
