-- Puts messages about a change to a user's access into the outbox: to the user, unless they did it themselves or an
-- invitation tells them; and if they are or were an owner, or are an admin, to the other owners of their team.
--   p_change           lib/domain/mail/access-change.ts has the changes
--   p_previous_role    what the user had before a change of the role; null: as now
-- Raises nothing.
create or replace function tell_of_access_change(
  p_change text, p_user users, p_previous_role user_role, p_actor text, p_now timestamptz
) returns void language sql as $$
  with told as (
    select jsonb_build_object('name', p_user.name, 'email', p_user.email, 'change', p_change, 'role', p_user.role, 'at', p_now,
             'organization', (select r.name from resellers r where r.id = p_user.reseller_id),
             'by', (select a.name from users a
                     where 'user:' || a.id = p_actor and a.reseller_id is not distinct from p_user.reseller_id)) as data
  ), person as (
    select queue_mail(gen_random_uuid(), 'access_changed', p_user, t.data, null, null, null, p_now)
      from told t where p_change <> 'added' and p_actor <> 'user:' || p_user.id
  ), owners as (
    select queue_mail(gen_random_uuid(), 'team_access_changed', o, t.data, null, null, null, p_now)
      from told t, users o
     where o.reseller_id is not distinct from p_user.reseller_id and o.role = 'owner' and o.id <> p_user.id
       and 'user:' || o.id <> p_actor
       and (p_user.reseller_id is null or 'owner' in (p_user.role, p_previous_role))
  )
  select from (select from person union all select from owners) sent
$$;
