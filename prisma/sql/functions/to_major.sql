-- Converts minor units to major units, as events show money (contract 1.9).
-- Raises nothing.
create or replace function to_major(p_minor bigint, p_digits int) returns numeric language sql immutable as $$
  select trim_scale(p_minor / power(10::numeric, p_digits))
$$;
