-- Puts a message to an enabled user into the outbox. It is sent within a day, or until its link ends.
--   p_secret      the sealed token of its link, or null; p_secret_until: when the link ends
--   p_once_key    a second message with this key is not written; null: none
-- Raises nothing.
create or replace function queue_mail(
  p_message_id uuid, p_kind text, p_user users, p_data jsonb, p_secret bytea, p_secret_until timestamptz, p_once_key text,
  p_now timestamptz
) returns void language sql as $$
  insert into mails (message_id, kind, user_id, recipient, data, secret, secret_until, once_key, next_attempt_at, send_until, created_at)
  select p_message_id, p_kind, p_user.id, p_user.email, p_data, p_secret, p_secret_until, p_once_key, p_now,
         least(p_now + interval '1 day', p_secret_until), p_now
   where p_user.disabled_at is null
  on conflict (once_key) do nothing
$$;
