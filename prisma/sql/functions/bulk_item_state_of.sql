-- Maps the state of an item's operation to the state of the item.
--   p_undo   the operation reverts the item
-- Raises nothing.
create or replace function bulk_item_state_of(p_operation operation_state, p_undo boolean) returns bulk_item_state language sql immutable as $$
  select case p_operation
    when 'succeeded' then (case when p_undo then 'undone' else 'succeeded' end)
    when 'rejected' then 'failed'
    else 'pending' end::bulk_item_state
$$;
