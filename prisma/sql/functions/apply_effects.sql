-- Applies the effects of settled operations to their bundles and licenses. The update of a license also ends its operation,
-- because each further write would touch every index of the row. An API key with a spending limit raises no price that
-- auto-renew may charge, even if auto-renew was switched on while its operation was open (contract 1.13).
--   p_settled   as `lock_settlements` returns them
-- Raises 23P01 if a license's new address or term conflicts with another live license.
create or replace function apply_effects(p_settled jsonb) returns void language plpgsql as $$
begin
  -- Before the licenses, whose paid terms take their months from this cycle.
  if p_settled @? '$[*].effects.bundleInstance' then
    update bundle_instances b set
        provisioned_at = case when s.effect ? 'provisioned' then s.now else b.provisioned_at end,
        cycle_id = coalesce((s.effect ->> 'cycleId')::int, b.cycle_id),
        anchored_at = coalesce((s.effect ->> 'anchoredAt')::timestamptz, b.anchored_at),
        expires_at = coalesce((s.effect ->> 'expiresAt')::timestamptz, b.expires_at),
        ip_address = coalesce(s.effect ->> 'ipAddress', b.ip_address),
        agreed_renewal_price = case when s.effect ? 'renewalPrice'
                                    then agreed_price(b.agreed_renewal_price, (s.effect ->> 'renewalPrice')::bigint, s.limited and b.auto_renew,
                                                      (s.effect ->> 'cycleId')::int <> b.cycle_id)
                                    else b.agreed_renewal_price end,
        announced_renewal_price = case when s.effect ? 'renewalPrice' then null else b.announced_renewal_price end,
        renewal_price_announced_at = case when s.effect ? 'renewalPrice' then null else b.renewal_price_announced_at end
      from (select s.bundle_instance_id, s.reseller_id, s.now, s.limited, s.effects -> 'bundleInstance' as effect
              from jsonb_to_recordset(p_settled) as s (bundle_instance_id int, reseller_id int, now timestamptz, limited boolean, effects jsonb)
             where s.effects ? 'bundleInstance') s
     where b.id = s.bundle_instance_id and b.reseller_id is not distinct from s.reseller_id;
  end if;

  update licenses l set
      provisioned_at = case when s.effect ? 'provisioned' then s.now else l.provisioned_at end,
      cycle_id = case when s.effect ? 'cycleId' then (s.effect ->> 'cycleId')::int else l.cycle_id end,
      anchored_at = coalesce((s.effect ->> 'anchoredAt')::timestamptz, l.anchored_at),
      expires_at = coalesce((s.effect ->> 'expiresAt')::timestamptz, l.expires_at),
      ip_address = coalesce(s.effect ->> 'ipAddress', l.ip_address),
      hostname = coalesce(s.effect ->> 'hostname', l.hostname),
      cores = coalesce((s.effect ->> 'cores')::int, l.cores),
      suspended_at = case when s.effect ? 'suspension' then (case when s.effect #>> '{suspension,by}' is not null then s.now end) else l.suspended_at end,
      suspended_by = case when s.effect ? 'suspension' then (s.effect #>> '{suspension,by}')::suspended_by else l.suspended_by end,
      suspension_reason = case when s.effect ? 'suspension' then coalesce(s.effect #>> '{suspension,reason}', '') else l.suspension_reason end,
      terminated_at = case when s.effect ? 'terminated' then s.now else l.terminated_at end,
      -- What removed cores had cost is not known, so it is not subtracted: today's price without them is the most that is
      -- agreed to and announced.
      agreed_renewal_price = case when s.effect ? 'renewalPrice'
                                  then agreed_price(l.agreed_renewal_price, (s.effect ->> 'renewalPrice')::bigint, s.limited and l.auto_renew,
                                                    (s.effect ->> 'cycleId')::int <> l.cycle_id)
                                  when l.agreed_renewal_price is null then null
                                  when s.effect ? 'renewalPriceCap' then least(l.agreed_renewal_price, (s.effect ->> 'renewalPriceCap')::bigint)
                                  else agreed_price(l.agreed_renewal_price,
                                                    greatest(0, l.agreed_renewal_price + coalesce((s.effect ->> 'renewalPriceChange')::bigint, 0)),
                                                    s.limited and l.auto_renew, false) end,
      announced_renewal_price = case when s.effect ? 'renewalPrice' or l.announced_renewal_price is null then null
                                     when s.effect ? 'renewalPriceCap' then least(l.announced_renewal_price, (s.effect ->> 'renewalPriceCap')::bigint)
                                     else agreed_price(l.announced_renewal_price,
                                                       greatest(0, l.announced_renewal_price + coalesce((s.effect ->> 'renewalPriceChange')::bigint, 0)),
                                                       s.limited and l.auto_renew, false) end,
      renewal_price_announced_at = case when s.effect ? 'renewalPrice' then null else l.renewal_price_announced_at end,
      provider_reference = coalesce(s."references" ->> l.key, l.provider_reference),
      open_operation_id = nullif(l.open_operation_id, s.id),
      updated_at = s.now
    from (select s.id, s.reseller_id, s.now, s.limited, s."references", e.effect
            from jsonb_to_recordset(p_settled) as s (id uuid, reseller_id int, now timestamptz, limited boolean, "references" jsonb, effects jsonb),
                 jsonb_array_elements(s.effects -> 'licenses') e (effect)) s
   where l.key = s.effect ->> 'key' and l.reseller_id is not distinct from s.reseller_id;

  -- A member's cores are renewed with its bundle.
  if p_settled @? '$[*].effects.licenses[*].renewalPriceChange' then
    update bundle_instances b set
        agreed_renewal_price = case when b.agreed_renewal_price is not null
                                    then greatest(0, least(b.agreed_renewal_price, change.cap) + change.amount) end,
        announced_renewal_price = case when b.announced_renewal_price is not null
                                       then greatest(0, least(b.announced_renewal_price, change.cap) + change.amount) end
      from (select bundle_instance_id, reseller_id, coalesce(sum(amount) filter (where cap is null), 0)::bigint as amount,
                   min(cap) as cap
              from (select l.bundle_instance_id, l.reseller_id, (e.effect ->> 'renewalPriceCap')::bigint as cap,
                           case when s.limited and whole.auto_renew then least(0, (e.effect ->> 'renewalPriceChange')::bigint)
                                else (e.effect ->> 'renewalPriceChange')::bigint end as amount
                      from jsonb_to_recordset(p_settled) as s (reseller_id int, limited boolean, effects jsonb)
                     cross join jsonb_array_elements(s.effects -> 'licenses') e (effect)
                      join licenses l on l.key = e.effect ->> 'key' and l.reseller_id is not distinct from s.reseller_id
                      join bundle_instances whole on whole.id = l.bundle_instance_id and whole.reseller_id = l.reseller_id
                     where e.effect ? 'renewalPriceChange') member
             group by 1, 2) change
     where b.id = change.bundle_instance_id and b.reseller_id is not distinct from change.reseller_id;
  end if;
end $$;
