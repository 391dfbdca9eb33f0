-- Returns field → {before, after} for every field of p_after that differs from p_before, as audit entries store it.
-- Raises nothing.
create or replace function changes_between(p_before jsonb, p_after jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(a.key, jsonb_build_object('before', p_before -> a.key, 'after', a.value)), '{}')
    from jsonb_each(p_after) a where p_before -> a.key is distinct from a.value
$$;
