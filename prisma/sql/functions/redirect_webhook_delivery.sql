-- Releases a claimed delivery whose host resolved to another target, and stores the target on its endpoint for the next
-- claim's limits. Removes the attempt, since nothing was sent.
-- Raises nothing.
create or replace function redirect_webhook_delivery(p_delivery_id bigint, p_token uuid, p_target text) returns void
language plpgsql as $$
declare
  delivery webhook_deliveries;
  was_manual boolean;
begin
  select * into delivery from webhook_deliveries d
   where d.id = p_delivery_id and d.lease_token = p_token and d.owner_id is not null for update;
  if not found then return; end if;
  delete from webhook_attempts a
   where a.delivery_id = delivery.id and a.number = delivery.attempt_count returning a.manual into was_manual;
  update webhook_deliveries d set
      owner_id = null, attempt_count = d.attempt_count - 1, resent = d.resent or coalesce(was_manual, false)
   where d.id = delivery.id and d.lease_token = p_token;
  update webhook_endpoints e set target = p_target where e.id = delivery.endpoint_id and e.target is distinct from p_target;
end $$;
