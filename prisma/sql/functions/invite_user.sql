-- Gives a new user a link to set a password, and puts the message with it into the outbox.
--   p_link   {messageId, tokenHash (hex), secret (hex; null: it cannot be sealed, so there is no message), until}
-- Raises nothing.
create or replace function invite_user(p_user users, p_link jsonb, p_now timestamptz) returns void language sql as $$
  insert into access_links (token_hash, user_id, kind, password_mark, created_at, expires_at)
  values (decode(p_link ->> 'tokenHash', 'hex'), p_user.id, 'invitation', sha256(convert_to(p_user.password_hash, 'UTF8')), p_now,
          (p_link ->> 'until')::timestamptz);
  select queue_mail((p_link ->> 'messageId')::uuid, 'invitation', p_user,
                    jsonb_build_object('name', p_user.name, 'role', p_user.role,
                                       'organization', (select r.name from resellers r where r.id = p_user.reseller_id)),
                    decode(p_link ->> 'secret', 'hex'), (p_link ->> 'until')::timestamptz, null, p_now)
   where p_link ->> 'secret' is not null;
$$;
