-- Links idempotency keys to the operations that their requests start.
--   p_holds   as `hold_operations` describes them
-- Raises LD007 if another request has claimed a key, or it has an operation that was not rejected.
create or replace function link_idempotency_keys(p_holds jsonb) returns void language plpgsql as $$
declare
  linked int;
begin
  update idempotency_records i set operation_id = h.id
    from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, idempotency_key text, key_token uuid)
   where i.reseller_id = h.reseller_id and i.key = h.idempotency_key and i.lease_token = h.key_token
     and (i.operation_id is null
          or exists (select from operations o where o.id = i.operation_id and o.reseller_id = i.reseller_id and o.state = 'rejected'));
  get diagnostics linked = row_count;
  if linked <> jsonb_array_length(jsonb_path_query_array(p_holds, '$[*].idempotency_key')) then
    raise exception 'another request has claimed the idempotency key' using errcode = 'LD007';
  end if;
end $$;
