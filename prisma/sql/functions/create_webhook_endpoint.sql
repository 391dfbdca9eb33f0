-- Adds a webhook endpoint, pending until it meets a challenge. Returns no row if the reseller already has p_limit of them.
-- Raises nothing of class LD.
create or replace function create_webhook_endpoint(p_endpoint jsonb, p_secret bytea, p_limit int)
returns setof webhook_endpoints language plpgsql as $$
declare
  endpoint webhook_endpoints := jsonb_populate_record(null::webhook_endpoints, p_endpoint);
begin
  -- Serializes the reseller's inserts, so that the count below includes the previous one.
  perform pg_advisory_xact_lock(hashtext('create_webhook_endpoint'), endpoint.reseller_id);
  return query
    insert into webhook_endpoints (reseller_id, format, url, chat_id, description, kinds, secret, seal_id, concurrency, ordered, pending_since,
                                   created_at, updated_at)
    select endpoint.reseller_id, endpoint.format, endpoint.url, endpoint.chat_id, endpoint.description, endpoint.kinds, p_secret, endpoint.seal_id,
           endpoint.concurrency, endpoint.ordered, endpoint.created_at, endpoint.created_at, endpoint.created_at
     where (select count(*) from webhook_endpoints e where e.reseller_id = endpoint.reseller_id) < p_limit
    returning *;
end $$;
