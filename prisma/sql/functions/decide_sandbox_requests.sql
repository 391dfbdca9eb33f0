-- The sandbox provider decides requests, each once per idempotency key, and updates its books.
--   p_requests   [{place, idempotencyKey, action, reference, product, ipAddress, cores, expiresAt, rejection}]; rejection:
--                null accepts the request
--   p_provider   whose books
-- Returns the decision of each request, also of one decided before; none while another statement is deciding it.
-- Raises 21000 if a license has two of the requests: nothing is decided then.
-- The settings are explained in `settle_operations`.
create or replace function decide_sandbox_requests(p_requests jsonb, p_provider text)
returns table (place int, accepted boolean, message text) language plpgsql
set plan_cache_mode to force_generic_plan set join_collapse_limit to 1 set from_collapse_limit to 1 set cpu_tuple_cost to 10
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
#variable_conflict use_column
begin
  return query
    with request as (
      select r.place, r."idempotencyKey" as key, r.action, r.reference, r.product, r."ipAddress" as ip_address, r.cores,
             r."expiresAt" as expires_at, r.rejection is null as accepted, coalesce(r.rejection, '') as message
        from jsonb_to_recordset(p_requests) as r (
               place int, "idempotencyKey" text, action text, reference text, product text, "ipAddress" text, cores int,
               "expiresAt" timestamptz, rejection text)
    ), decided as (
      insert into sandbox_provider_requests (idempotency_key, kind, reference, accepted, message)
      select r.key, r.action, r.reference, r.accepted, r.message from request r
      on conflict (idempotency_key) do nothing returning idempotency_key
    ), accepted as (
      select r.* from request r join decided d on d.idempotency_key = r.key where r.accepted
    ), with_state as (
      insert into sandbox_provider_licenses (reference, product, ip_address, cores, expires_at, state, provider)
      select a.reference, a.product, a.ip_address, a.cores, a.expires_at,
             case a.action when 'suspend' then 'suspended' when 'terminate' then 'terminated' else 'active' end, p_provider
        from accepted a where a.action in ('suspend', 'unsuspend', 'terminate', 'provision')
      on conflict (reference) do update set
        product = excluded.product, ip_address = excluded.ip_address, cores = excluded.cores, expires_at = excluded.expires_at,
        state = excluded.state
    ), without_state as (
      insert into sandbox_provider_licenses (reference, product, ip_address, cores, expires_at, state, provider)
      select a.reference, a.product, a.ip_address, a.cores, a.expires_at, 'active', p_provider
        from accepted a where a.action not in ('suspend', 'unsuspend', 'terminate', 'provision')
      on conflict (reference) do update set
        product = excluded.product, ip_address = excluded.ip_address, cores = excluded.cores, expires_at = excluded.expires_at
    )
    select r.place, coalesce(q.accepted, r.accepted), coalesce(q.message, r.message)
      from request r
      left join decided d on d.idempotency_key = r.key
      left join sandbox_provider_requests q on q.idempotency_key = r.key
     where d.idempotency_key is not null or q.idempotency_key is not null;
end $$;
