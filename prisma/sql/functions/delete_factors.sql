-- Deletes a user's second factors and recovery codes. Locks the user, as adding one does (`holdSession`), so that it also
-- finds one that is being added: a statement with the calling one's snapshot would not.
-- Returns whether there was a factor.
-- Raises nothing.
create or replace function delete_factors(p_user_id int) returns boolean language plpgsql as $$
declare
  existed boolean;
begin
  perform from users u where u.id = p_user_id for no key update;
  with totp as (
    delete from totp_factors t where t.user_id = p_user_id and t.confirmed_at is not null returning 1
  ), keys as (
    delete from passkeys p where p.user_id = p_user_id returning 1
  ), codes as (
    delete from recovery_codes c where c.user_id = p_user_id
  )
  select exists (select from totp) or exists (select from keys) into existed;
  return existed;
end $$;
