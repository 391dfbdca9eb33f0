-- Whether a user has fewer rows of a kind than the limit; serialized as `has_room` is.
--   p_at_reseller_id   only views of this reseller, or of the admins
-- Raises nothing.
create or replace function user_has_room(p_kind text, p_user_id int, p_limit int, p_now timestamptz, p_at_reseller_id int default null)
returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('has_room ' || p_kind), p_user_id);
  return p_limit > case p_kind
    when 'passkeys' then (select count(*) from passkeys p where p.user_id = p_user_id)
    when 'password_resets' then (
      select count(*) from access_links l where l.user_id = p_user_id and l.kind = 'password_reset' and l.expires_at > p_now)
    when 'saved_views' then (
      select count(*) from saved_views v where v.user_id = p_user_id and v.reseller_id is not distinct from p_at_reseller_id)
  end;
end $$;
