-- Disables or enables a user; disabling ends their sessions, links and changes of the email address at once.
--   p_reseller_id   the reseller that the user must belong to, or null for any user
-- Returns `done`, `unchanged`, `missing`, or `last_owner`: at least one enabled owner must remain.
-- Raises nothing.
create or replace function set_user_disabled(
  p_user_id int, p_reseller_id int, p_disabled boolean, p_actor text, p_request_id text, p_now timestamptz
) returns text language plpgsql as $$
declare
  last_owner boolean := is_last_owner(p_user_id);
  person users;
begin
  select * into person from users u
   where u.id = p_user_id and (p_reseller_id is null or u.reseller_id = p_reseller_id) for update;
  if not found then return 'missing'; end if;
  if (person.disabled_at is not null) = p_disabled then return 'unchanged'; end if;
  if p_disabled and last_owner then return 'last_owner'; end if;
  update users u set disabled_at = case when p_disabled then p_now end where u.id = person.id;
  if p_disabled then
    perform end_sessions(person.id, null, p_now);
    delete from email_changes c where c.user_id = person.id;
    delete from access_links l where l.user_id = person.id;
    perform forget_mail_links(person.id, null, 'Not sent: the user is disabled.', p_now);
  end if;
  perform write_audit_entry(p_actor, case when p_disabled then 'user.disable' else 'user.enable' end, person.reseller_id,
                            'user:' || person.id, '', jsonb_build_object('email', person.email), p_now, p_request_id, person.name);
  -- As enabled: the last message of a disabled user.
  person.disabled_at := null;
  perform tell_of_access_change(case when p_disabled then 'disabled' else 'enabled' end, person, null, p_actor, p_now);
  return 'done';
end $$;
