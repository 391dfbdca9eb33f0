-- Saves a view, unless its user has so many of the reseller. Serialized for each user. Returns its id, or null.
-- Raises 23505: the user has a view of this list with this name.
create or replace function save_view(
  p_user_id int, p_reseller_id int, p_list text, p_name text, p_query text, p_shared boolean, p_limit int, p_now timestamptz
) returns int language plpgsql as $$
declare
  view_id int;
begin
  perform from users u where u.id = p_user_id for no key update;
  if (select count(*) from saved_views v where v.user_id = p_user_id and v.reseller_id is not distinct from p_reseller_id) >= p_limit then
    return null;
  end if;
  insert into saved_views (user_id, reseller_id, list, name, query, shared, created_at)
  values (p_user_id, p_reseller_id, p_list, p_name, p_query, p_shared, p_now) returning id into view_id;
  return view_id;
end $$;
