-- Returns what was refunded of the charges for the term in which a license or its bundle ended, by operation. Earlier cases
-- do not count: their refunds were for time that the license no longer had, or were charged again.
--   p_ended_at   its termination
-- Raises nothing.
create or replace function refunded_for_term(p_license_id int, p_ended_at timestamptz)
returns table (operation_id uuid, amount bigint) language sql stable rows 10 as $$
  select o.id, sum(e.amount)::bigint
    from operations_of_term(p_license_id, p_ended_at) o join ledger_entries e on e.operation_id = o.id
   where e.kind = 'refund' and e.created_at >= p_ended_at
   group by o.id
$$;
