-- Changes a user's role.
--   p_reseller_id   the reseller that the user must belong to, or null for any user
-- Returns `done`, `unchanged`, `missing`, or `last_owner`: at least one enabled owner must remain.
-- Raises a check violation for a role of another kind of user.
create or replace function set_user_role(
  p_user_id int, p_reseller_id int, p_role user_role, p_actor text, p_request_id text, p_now timestamptz
) returns text language plpgsql as $$
declare
  last_owner boolean := is_last_owner(p_user_id);
  person users;
  changed users;
begin
  select * into person from users u
   where u.id = p_user_id and (p_reseller_id is null or u.reseller_id = p_reseller_id) for update;
  if not found then return 'missing'; end if;
  if person.role = p_role then return 'unchanged'; end if;
  if last_owner then return 'last_owner'; end if;
  update users u set role = p_role where u.id = person.id returning * into changed;
  perform write_audit_entry(p_actor, 'user.set_role', person.reseller_id, 'user:' || person.id, '',
                            jsonb_build_object('email', person.email, 'changes',
                              changes_between(jsonb_build_object('role', person.role), jsonb_build_object('role', p_role))),
                            p_now, p_request_id, person.name);
  perform tell_of_access_change('role', changed, person.role, p_actor, p_now);
  return 'done';
end $$;
