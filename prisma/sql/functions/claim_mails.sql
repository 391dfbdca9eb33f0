-- Claims up to p_slots due messages for a process under p_token. Messages with a link come first, because a person waits
-- for them, up to three of a reseller at a time; then resellers take turns. A message without a link goes to its user's current address. Also forgets the tokens
-- of links that have ended, and gives up messages whose time is over, whose user is disabled (but about their access), or
-- that their user does not get any more (wants_mail). Without slots, as without a mail server, it only forgets. Messages of
-- other kinds than p_kinds are for a process of another version.
-- Raises nothing.
create or replace function claim_mails(p_owner_id uuid, p_token uuid, p_now timestamptz, p_slots int, p_kinds text[]) returns setof mails
language plpgsql as $$
begin
  update mails m set secret = null
   where m.id in (select e.id from mails e where e.secret is not null and e.secret_until <= p_now for update skip locked);
  if p_slots <= 0 then return; end if;
  update mails m set
      state = 'failed', secret = case when u.disabled_at is null then m.secret end,
      error = case when u.disabled_at is not null and m.kind <> 'access_changed' then 'Not sent: the user is disabled.'
                   when m.send_until <= p_now then coalesce(m.error, 'Not sent in time.')
                   else 'Not sent: the user does not get messages of this kind any more.' end
    from users u
   where u.id = m.user_id
     and m.id in (select e.id from mails e join users o on o.id = e.user_id
                   where e.state = 'pending' and e.owner_id is null
                     and (e.send_until <= p_now or o.disabled_at is not null and e.kind <> 'access_changed'
                          or e.next_attempt_at <= p_now and not wants_mail(e.kind, o))
                     for update of e skip locked);
  return query
  with due as (
    -- With what is under way: else the oldest backlog would get every single slot that becomes free.
    select m.id, m.owner_id, m.secret is not null as awaited, m.next_attempt_at,
           row_number() over (partition by u.reseller_id, m.secret is not null
                              order by m.owner_id is null, m.next_attempt_at, m.id) as turn
      from mails m join users u on u.id = m.user_id
     where m.state = 'pending' and (m.owner_id is not null or m.next_attempt_at <= p_now) and m.kind = any (p_kinds)
  ), chosen as materialized (
    select m.id from mails m
     where m.id in (select d.id from due d where d.owner_id is null order by d.awaited and d.turn <= 3 desc, d.turn, d.awaited desc, d.next_attempt_at
                    limit p_slots)
       and m.state = 'pending' and m.owner_id is null
     order by m.id for update skip locked
  )
  update mails m set
      attempt_count = m.attempt_count + 1, owner_id = p_owner_id, lease_token = p_token,
      recipient = case when m.secret_until is null then u.email else m.recipient end
    from chosen c, users u where m.id = c.id and u.id = m.user_id returning m.*;
end $$;
