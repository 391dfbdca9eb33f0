-- Confirms a change of an email address for the address that got the token. With the second confirmation the address
-- changes, links for passwords end, and so do the user's sessions.
-- Returns `waiting` for the other address, `changed`, or null without an open change.
-- Raises 23505 if the reseller has a user with the address.
create or replace function confirm_email_change(p_token_hash bytea, p_now timestamptz, p_request_id text) returns text
language plpgsql as $$
declare
  change email_changes;
  person users;
begin
  select u.* into person from users u join email_changes c on c.user_id = u.id
   where p_token_hash in (c.old_token_hash, c.new_token_hash) for update of u;
  update email_changes c set
      old_confirmed_at = case when c.old_token_hash = p_token_hash then coalesce(c.old_confirmed_at, p_now) else c.old_confirmed_at end,
      new_confirmed_at = case when c.new_token_hash = p_token_hash then coalesce(c.new_confirmed_at, p_now) else c.new_confirmed_at end
   where p_token_hash in (c.old_token_hash, c.new_token_hash) and c.expires_at > p_now and c.user_id = person.id
     and person.disabled_at is null and c.password_mark = sha256(convert_to(person.password_hash, 'UTF8'))
  returning c.* into change;
  if not found then return null; end if;
  if change.old_confirmed_at is null or change.new_confirmed_at is null then return 'waiting'; end if;
  update users u set email = change.new_email, password_hash = change.new_password_hash where u.id = change.user_id;
  delete from email_changes c where c.user_id = change.user_id;
  delete from access_links l where l.user_id = change.user_id;
  perform forget_mail_links(change.user_id, null, 'Not sent: the user''s address has changed.', p_now);
  perform end_sessions(change.user_id, null, p_now);
  perform write_audit_entry('user:' || person.id, 'user.change_email', person.reseller_id, 'user:' || person.id, '',
                            jsonb_build_object('changes', changes_between(jsonb_build_object('email', person.email),
                                                                          jsonb_build_object('email', change.new_email))),
                            p_now, p_request_id, person.name);
  return 'changed';
end $$;
