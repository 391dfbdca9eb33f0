-- Brings a user's recovery codes in line with the second factors: none without a factor; with one, p_hashes if there are
-- none yet, or in any case if p_replaces. Locks the user, as everyone who changes factors does, so that it finds what a
-- change at the same moment has left: a statement with the calling one's snapshot would not.
-- Returns how many it has stored.
-- Raises nothing.
create or replace function settle_recovery_codes(p_user_id int, p_hashes bytea[], p_replaces boolean) returns int language plpgsql as $$
declare
  has_factor boolean;
  stored int;
begin
  perform from users u where u.id = p_user_id for no key update;
  has_factor := exists (select from totp_factors t where t.user_id = p_user_id and t.confirmed_at is not null)
    or exists (select from passkeys p where p.user_id = p_user_id);
  if p_replaces or not has_factor then
    delete from recovery_codes c where c.user_id = p_user_id;
  end if;
  insert into recovery_codes (user_id, hash)
  select p_user_id, code.hash from unnest(p_hashes) as code (hash)
   where has_factor and not exists (select from recovery_codes c where c.user_id = p_user_id);
  get diagnostics stored = row_count;
  return stored;
end $$;
