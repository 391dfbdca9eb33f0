-- Sets or removes (null) the monthly limit of an API key. What it spent in the month so far counts.
--   p_reseller_id   null: any reseller's key
-- Returns whether there is such a key.
-- Raises nothing.
create or replace function set_spending_limit(p_key_id int, p_reseller_id int, p_limit bigint, p_actor text, p_now timestamptz, p_request_id text)
returns boolean language plpgsql as $$
declare
  key api_keys;
begin
  select * into key from api_keys k where k.id = p_key_id and (p_reseller_id is null or k.reseller_id = p_reseller_id) for update;
  if not found then return false; end if;
  update api_keys k set spending_limit = p_limit where k.id = key.id;
  if p_limit is not null then
    update operations o set spending_key_id = coalesce(key.first_id, key.id)
     where o.reseller_id = key.reseller_id and o.created_at >= date_trunc('month', p_now, 'UTC')
       and o.actor = 'key:' || key.id and o.spending_key_id is null;
  end if;
  perform write_audit_entry(p_actor, 'api_key.set_spending_limit', key.reseller_id, 'api_key:' || key.id, '',
    jsonb_build_object('changes', jsonb_build_object('limit', jsonb_build_object('before', key.spending_limit::text, 'after', p_limit::text))),
    p_now, p_request_id, key.name);
  return true;
end $$;
