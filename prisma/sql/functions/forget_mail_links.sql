-- Forgets the links of a user's messages. A message that was not sent is not sent any more: unless an attempt is in flight,
-- it has failed.
--   p_kinds    null: all
--   p_reason   why a message with the link is not sent
-- Raises nothing.
create or replace function forget_mail_links(p_user_id int, p_kinds text[], p_reason text, p_now timestamptz) returns void
language sql as $$
  update mails m set
      secret = null,
      state = case when m.state = 'pending' and m.owner_id is null then 'failed' else m.state end,
      error = case when m.state = 'pending' then p_reason else m.error end,
      send_until = least(m.send_until, p_now)
   where m.user_id = p_user_id and m.secret is not null and (p_kinds is null or m.kind = any (p_kinds))
$$;
