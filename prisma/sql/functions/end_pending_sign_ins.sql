-- Trigger: a changed password or a disabled user ends sign-ins that wait for the second factor.
-- Raises nothing.
create or replace function end_pending_sign_ins() returns trigger language plpgsql as $$
begin
  delete from pending_sign_ins where user_id = new.id;
  return null;
end $$;
