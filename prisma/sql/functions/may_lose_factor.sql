-- Whether a user may lose a second factor: they need none, or another one remains. The caller has locked the user, as everyone
-- who changes factors does, so that it counts what a change at the same moment has left: the calling statement's snapshot would not.
-- Raises nothing.
create or replace function may_lose_factor(p_user_id int, p_admins_need_factor boolean) returns boolean language plpgsql as $$
begin
  return not coalesce((select r.requires_second_factor from users u join resellers r on r.id = u.reseller_id where u.id = p_user_id),
                      p_admins_need_factor)
    or (select count(*) from passkeys p where p.user_id = p_user_id)
       + (select count(*) from totp_factors t where t.user_id = p_user_id and t.confirmed_at is not null) > 1;
end $$;
