-- Returns the reseller's id if it is a sandbox, or else 0: live. Rows of different sandboxes never meet.
-- Raises nothing.
create or replace function sandbox_of(p_reseller_id int) returns int language sql stable as $$
  select coalesce((select r.id from resellers r where r.id = p_reseller_id and r.sandbox_of is not null), 0)
$$;
