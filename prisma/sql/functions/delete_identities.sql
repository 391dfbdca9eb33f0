-- Disconnects a user's accounts at the issuer. Locks the user, as a sign-in does, so that it also finds one that is being
-- connected: a statement with the calling one's snapshot would not.
-- Returns whether there was one.
-- Raises nothing.
create or replace function delete_identities(p_user_id int) returns boolean language plpgsql as $$
begin
  perform from users u where u.id = p_user_id for no key update;
  delete from user_identities i where i.user_id = p_user_id;
  return found;
end $$;
