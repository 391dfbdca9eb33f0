-- Replaces a sandbox by a new one. API keys, webhook endpoints and saved views move to it; everything else stays in the old
-- one, whose wallet and automatic renewals stop. The caller has deleted its deliveries in batches; this deletes those added since.
-- Keys that are bound to one of its licenses stay with it and end.
-- Returns the new sandbox, or null if the sandbox has been replaced before or is none.
-- Raises nothing.
create or replace function reset_sandbox(p_sandbox_id int, p_play_money bigint, p_actor text, p_now timestamptz)
returns int language plpgsql as $$
declare
  live int;
  opened int;
begin
  -- Before the wallet, as `hold_operations` locks them.
  perform from bundle_instances b where b.reseller_id = p_sandbox_id and b.auto_renew order by b.id for no key update;
  perform from licenses l where l.reseller_id = p_sandbox_id and l.auto_renew order by l.id for no key update;
  update resellers r set sandbox_closed_at = p_now, suspended_at = p_now, suspension_reason = 'The sandbox was reset.'
   where r.id = p_sandbox_id and r.sandbox_of is not null and r.sandbox_closed_at is null
  returning r.sandbox_of into live;
  if live is null then return null; end if;
  opened := open_sandbox(live, p_play_money, p_actor, p_now);
  update licenses l set auto_renew = false where l.reseller_id = p_sandbox_id and l.auto_renew;
  update bundle_instances b set auto_renew = false where b.reseller_id = p_sandbox_id and b.auto_renew;
  perform from api_keys k where k.reseller_id = p_sandbox_id order by k.id for no key update;
  update api_keys k set reseller_id = opened where k.reseller_id = p_sandbox_id and k.license_id is null;
  update api_keys k set revoked_at = coalesce(k.revoked_at, p_now) where k.reseller_id = p_sandbox_id;
  update webhook_endpoints e set reseller_id = opened where e.reseller_id = p_sandbox_id;
  update saved_views v set reseller_id = opened where v.reseller_id = p_sandbox_id;
  with late as materialized (select d.id from webhook_deliveries d where d.reseller_id = p_sandbox_id order by d.id for update)
  delete from webhook_deliveries d using late l where d.id = l.id;
  return opened;
end $$;
