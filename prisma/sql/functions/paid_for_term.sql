-- Returns the minor units paid for the present term of a license or its bundle and the time after it, less refunds and
-- credits. `charges_of_term` has the rule.
-- Raises nothing.
create or replace function paid_for_term(p_license_id int, p_at timestamptz) returns bigint language sql stable as $$
  select coalesce(sum(c.amount), 0)::bigint from charges_of_term(p_license_id, p_at) c
$$;
