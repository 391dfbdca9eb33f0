-- Whether a reseller has fewer rows of a kind than the limit. Serializes what adds them until the transaction ends, so that
-- the count includes the previous one's: the calling statement's snapshot would not.
--   p_limit        null: none
--   p_license_id   only keys bound to this license, or to none
-- Raises nothing.
create or replace function has_room(p_kind text, p_reseller_id int, p_limit int, p_now timestamptz, p_license_id int default null)
returns boolean language plpgsql as $$
begin
  if p_limit is null then return true; end if;
  perform pg_advisory_xact_lock(hashtext('has_room ' || p_kind), p_reseller_id);
  return p_limit > case p_kind
    when 'api_keys' then (
      select count(*) from api_keys k
       where k.reseller_id = p_reseller_id and k.revoked_at is null and k.license_id is not distinct from p_license_id
         and (k.expires_at is null or k.expires_at > p_now))
    when 'bulk_jobs' then (select count(*) from bulk_jobs j where j.reseller_id = p_reseller_id and j.state <> 'finished')
    when 'top_up_requests' then (select count(*) from top_up_requests t where t.reseller_id = p_reseller_id and t.state = 'requested')
    when 'webhook_endpoints' then (select count(*) from webhook_endpoints e where e.reseller_id = p_reseller_id)
  end;
end $$;
