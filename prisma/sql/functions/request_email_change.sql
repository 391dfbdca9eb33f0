-- Starts a change of a user's email address, in place of an earlier one, and puts a message with a link for each address
-- into the outbox. The earlier one's messages lose their links.
--   p_old, p_new   {messageId, tokenHash (hex), secret (hex), until}
-- Returns false if the password has changed meanwhile.
-- Raises nothing.
create or replace function request_email_change(
  p_user_id int, p_old_hash text, p_new_email text, p_new_hash text, p_old jsonb, p_new jsonb, p_actor text, p_now timestamptz,
  p_request_id text
) returns boolean language plpgsql as $$
declare
  person users;
  facts jsonb;
begin
  select * into person from users u where u.id = p_user_id and u.password_hash = p_old_hash and u.disabled_at is null for update;
  if not found then return false; end if;
  perform forget_mail_links(person.id, array['email_change', 'email_change_new'], 'Not sent: another change of the address replaced it.',
                            p_now);
  delete from email_changes c where c.user_id = person.id;
  insert into email_changes (user_id, new_email, new_password_hash, password_mark, old_token_hash, new_token_hash, created_at, expires_at)
  values (person.id, p_new_email, p_new_hash, sha256(convert_to(person.password_hash, 'UTF8')), decode(p_old ->> 'tokenHash', 'hex'),
          decode(p_new ->> 'tokenHash', 'hex'), p_now, (p_new ->> 'until')::timestamptz);
  facts := jsonb_build_object('name', person.name, 'old', person.email, 'new', p_new_email);
  perform queue_mail((p_old ->> 'messageId')::uuid, 'email_change', person, facts, decode(p_old ->> 'secret', 'hex'),
                     (p_old ->> 'until')::timestamptz, null, p_now);
  perform write_audit_entry(p_actor, 'user.request_email_change', person.reseller_id, 'user:' || person.id, '',
                            jsonb_build_object('email', p_new_email), p_now, p_request_id, person.name);
  person.email := p_new_email;
  perform queue_mail((p_new ->> 'messageId')::uuid, 'email_change_new', person, facts, decode(p_new ->> 'secret', 'hex'),
                     (p_new ->> 'until')::timestamptz, null, p_now);
  return true;
end $$;
