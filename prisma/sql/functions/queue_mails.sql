-- Puts a message to each user of a live reseller into the outbox, or to each admin if p_reseller_id is null. Not to users
-- who have switched the kind off or have not accepted their invitation.
-- Raises nothing.
create or replace function queue_mails(p_kind text, p_reseller_id int, p_data jsonb, p_now timestamptz) returns void language sql as $$
  select queue_mail(gen_random_uuid(), p_kind, u, p_data, null, null, null, p_now)
    from users u
   where u.reseller_id is not distinct from p_reseller_id and u.one_time_password_until is null
     and not exists (select from mail_opt_outs o where o.user_id = u.id and o.kind = p_kind)
   order by u.id
$$;
