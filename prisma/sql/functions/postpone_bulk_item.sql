-- Postpones the revert of a running item, for the worker that has the lease token of its job. Deletes the operation of a try
-- that never reached the provider: nobody has learned of it.
-- Raises nothing.
create or replace function postpone_bulk_item(p_item_id int, p_token uuid, p_code text, p_message text, p_now timestamptz)
returns void language plpgsql as $$
declare
  item bulk_job_items;
begin
  select i.* into item from bulk_jobs j join bulk_job_items i on i.job_id = j.id
   where i.id = p_item_id and i.state = 'running' and j.lease_token = p_token for update of j;
  if not found then return; end if;
  -- Other rejections since the item was last postponed were learned by reconciliation.
  delete from operations o
   where p_code in ('provider_unavailable', 'provider_busy') and o.created_at >= item.ended_at and (o.license_id = item.license_id or o.bundle_instance_id = item.bundle_instance_id) and o.reseller_id = item.reseller_id
     and o.request_id = 'bulk:' || item.id || ':undo' and o.state = 'rejected' and o.reconciled_at is null;
  perform postpone_bulk_revert(item.id, p_code, p_message, p_now);
end $$;
