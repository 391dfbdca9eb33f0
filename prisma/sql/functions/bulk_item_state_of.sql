-- Maps the state of an item's operation, in the state of its job, to the state of the item.
-- Raises nothing.
create or replace function bulk_item_state_of(p_operation operation_state, p_job bulk_job_state) returns bulk_item_state language sql immutable as $$
  select case p_operation
    when 'succeeded' then (case p_job when 'undoing' then 'undone' else 'succeeded' end)
    when 'rejected' then 'failed'
    else 'pending' end::bulk_item_state
$$;
