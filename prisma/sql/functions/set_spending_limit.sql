-- Sets or removes (null) the monthly limit of an API key and of all keys of its rotations. What they spent in the month so far
-- counts.
--   p_reseller_id   null: any reseller's key
-- Returns whether there is such a key.
-- Raises nothing.
create or replace function set_spending_limit(p_key_id int, p_reseller_id int, p_limit bigint, p_actor text, p_now timestamptz, p_request_id text)
returns boolean language plpgsql as $$
declare
  key api_keys;
  first int;
  actors text[];
begin
  select coalesce(k.first_id, k.id) into first from api_keys k where k.id = p_key_id and (p_reseller_id is null or k.reseller_id = p_reseller_id);
  if not found then return false; end if;
  -- Waits for a rotation in progress, whose new key the update then finds, and for holds in progress, which then count.
  perform from api_keys k where k.id = first or k.first_id = first order by k.id for update;
  select * into key from api_keys k where k.id = p_key_id;
  with changed as (
    update api_keys k set spending_limit = p_limit
     where k.id = first or k.first_id = first returning k.id
  )
  select array_agg('key:' || c.id) into actors from changed c;
  if p_limit is not null then
    with counted as materialized (
      select o.id from operations o
       where o.reseller_id = key.reseller_id and o.created_at >= date_trunc('month', p_now, 'UTC')
         and o.actor = any (actors) and o.spending_key_id is null
         -- Of free operations, only the effects of open ones depend on it (contract 1.13).
         and (o.hold_amount > 0 and not o.rejected or o.settled_at is null)
       order by o.id for no key update
    )
    update operations o set spending_key_id = first from counted c where o.id = c.id and o.reseller_id = key.reseller_id;
  end if;
  perform write_audit_entry(p_actor, 'api_key.set_spending_limit', key.reseller_id, 'api_key:' || key.id, '',
    jsonb_build_object('changes', jsonb_build_object('limit', jsonb_build_object('before', key.spending_limit::text, 'after', p_limit::text))),
    p_now, p_request_id, key.name);
  return true;
end $$;
