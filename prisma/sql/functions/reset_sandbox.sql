-- Replaces a reseller's sandbox by a new one. API keys and webhook endpoints move to it; everything else stays in the
-- old one, whose wallet and automatic renewals stop.
-- Returns the new sandbox, or null if there is none to replace.
-- Raises nothing.
create or replace function reset_sandbox(p_reseller_id int, p_play_money bigint, p_actor text, p_now timestamptz)
returns int language plpgsql as $$
declare
  closed int;
  opened int;
begin
  update resellers r set sandbox_closed_at = p_now, suspended_at = p_now, suspension_reason = 'The sandbox was reset.'
   where r.sandbox_of = p_reseller_id and r.sandbox_closed_at is null
  returning r.id into closed;
  if closed is null then return null; end if;
  opened := open_sandbox(p_reseller_id, p_play_money, p_actor, p_now);
  update licenses l set auto_renew = false where l.reseller_id = closed and l.auto_renew;
  update bundle_instances b set auto_renew = false where b.reseller_id = closed and b.auto_renew;
  update api_keys k set reseller_id = opened where k.reseller_id = closed;
  update webhook_endpoints e set reseller_id = opened where e.reseller_id = closed;
  delete from webhook_deliveries d where d.reseller_id = closed;
  return opened;
end $$;
