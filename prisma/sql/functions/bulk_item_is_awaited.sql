-- Whether an all-or-nothing job waits for the outcome of this item: it is unknown, and no user stopped waiting for it.
-- Raises nothing.
create or replace function bulk_item_is_awaited(p_item bulk_job_items) returns boolean language sql immutable as $$
  select p_item.state = 'pending' and (p_item.revert_at is not null or p_item.revert_until is null)
$$;
