-- Postpones the revert of an item that could not be made. It is tried again with growing pauses, from a minute to an hour,
-- for a day after the first try; then it fails. One that a user stopped fails at once.
--   p_message   why, in a sentence
-- Raises nothing.
create or replace function postpone_bulk_revert(p_item_id int, p_code text, p_message text, p_now timestamptz) returns void language sql as $$
  update bulk_job_items i set
      state = case when t.is_tried_again then 'succeeded' else 'failed' end::bulk_item_state,
      error_code = p_code,
      error_message = case when t.is_tried_again then 'Not reverted yet: ' when i.revert_at is null then 'Not reverted: '
                           else 'Not reverted within a day: ' end || p_message,
      revert_at = least(t.last_at, p_now + greatest(interval '1 minute', least(p_now - (t.last_at - interval '1 day'), interval '1 hour'))),
      revert_until = t.last_at,
      ended_at = p_now
    from (select o.id, coalesce(o.revert_until, p_now + interval '1 day') as last_at,
                 o.revert_until is null or (o.revert_at is not null and p_now < o.revert_until) as is_tried_again
            from bulk_job_items o where o.id = p_item_id) t
   where i.id = t.id
$$;
