-- Requires that the items of jobs whose operations are held are still run by the workers that hold them. Whoever takes a job
-- over begins its running item only when this transaction has ended, and then finds the operation.
--   p_holds   as `hold_operations` describes them
-- Raises LD001 if another worker has taken an item.
create or replace function require_running_items(p_holds jsonb) returns void language plpgsql as $$
declare
  running int;
begin
  perform from jsonb_to_recordset(p_holds) as h (reseller_id int, request_id text, item_token uuid)
     join bulk_job_items i on i.id = substring(h.request_id from '^bulk:([0-9]+)')::int and i.reseller_id = h.reseller_id
                          and i.state = 'running'
     join bulk_jobs j on j.id = i.job_id and j.reseller_id = i.reseller_id and j.lease_token = h.item_token
    order by j.id for key share of j;
  get diagnostics running = row_count;
  if running <> jsonb_array_length(jsonb_path_query_array(p_holds, '$[*].item_token')) then
    raise exception 'another worker has taken the item' using errcode = 'LD001';
  end if;
end $$;
