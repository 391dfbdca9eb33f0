-- Whether a user gets messages of a kind: those about the user themselves, always; those that can be switched off if their
-- role may read what it reports, they have accepted their invitation, and they have not switched it off.
-- lib/domain/mail/kinds.ts has the kinds and permissions; a test compares.
-- Raises nothing.
create or replace function wants_mail(p_kind text, p_user users) returns boolean language sql stable as $$
  select p_kind in ('invitation', 'password_reset', 'email_change', 'email_change_new', 'new_device', 'access_changed',
                    'team_access_changed')
      or p_user.one_time_password_until is null
     and case when p_kind in ('low_balance', 'runway_end', 'top_up_decided') then p_user.role not in ('support', 'developer')
              when p_kind = 'top_up_requested' then p_user.role in ('owner', 'finance')
              when p_kind = 'new_cases' then p_user.role in ('owner', 'operator', 'finance')
              else true end
     and not exists (select from mail_opt_outs o where o.user_id = p_user.id and o.kind = p_kind)
$$;
