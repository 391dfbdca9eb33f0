-- Whether the user is the only enabled owner of their reseller, or among the admins. Locks all of its owners until the end
-- of the transaction, which serializes two owners who disable or demote each other.
-- Raises nothing.
create or replace function is_last_owner(p_user_id int) returns boolean language plpgsql as $$
declare
  group_id int := (select u.reseller_id from users u where u.id = p_user_id);
begin
  perform from users u where u.role = 'owner' and u.reseller_id is not distinct from group_id order by u.id for update;
  return exists (select from users u where u.id = p_user_id and u.role = 'owner' and u.disabled_at is null)
     and not exists (
       select from users u
        where u.role = 'owner' and u.reseller_id is not distinct from group_id and u.disabled_at is null and u.id <> p_user_id
     );
end $$;
