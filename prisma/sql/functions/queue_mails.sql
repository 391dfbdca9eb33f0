-- Puts a message to each user of a live reseller, or to each admin if p_reseller_id is null, who wants it (wants_mail) into
-- the outbox.
-- Raises nothing.
create or replace function queue_mails(p_kind text, p_reseller_id int, p_data jsonb, p_now timestamptz) returns void language sql as $$
  select queue_mail(gen_random_uuid(), p_kind, u, p_data, null, null, null, p_now)
    from users u where u.reseller_id is not distinct from p_reseller_id and wants_mail(p_kind, u) order by u.id
$$;
