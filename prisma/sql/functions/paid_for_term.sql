-- Returns the minor units paid for the current term of a license or its bundle, less refunds and credits.
-- Raises nothing.
create or replace function paid_for_term(p_license_id int) returns bigint language sql stable as $$
  select -coalesce(sum(e.amount), 0)::bigint from operations_of_term(p_license_id) o join ledger_entries e on e.operation_id = o.id
$$;
