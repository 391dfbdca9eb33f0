-- Places all holds of a list or none. Every step runs once for the whole list. `hold_operations` describes the list and has
-- locked its addresses and rows.
-- Raises the refusals of `hold_operations`.
create or replace function place_holds(p_holds jsonb)
returns table (place int, license_ids int[], bundle_instance_id int, spendable bigint) language plpgsql as $$
#variable_conflict use_column
begin
  -- Draws the ids of what it creates, so that no second write has to name it. Free operations come without a currency.
  insert into operations (id, kind, state, reseller_id, license_id, bundle_instance_id, hold_amount, price, currency,
                          plan, actor, spending_key_id, request_id, owner_id, lease_token, created_at)
  select h.id, h.kind::operation_kind, 'held', h.reseller_id,
         case when h.new_licenses is not null and h.new_instance is null then nextval('licenses_id_seq') else h.license_id end,
         case when h.new_instance is not null then nextval('bundle_instances_id_seq') else h.bundle_instance_id end,
         h.hold_amount, h.price, coalesce(h.currency, (select w.currency from wallets w where w.reseller_id = h.reseller_id)),
         h.plan, h.actor,
         (select coalesce(k.first_id, k.id) from api_keys k
           where k.id = substring(h.actor from '^key:([0-9]+)$')::int and k.reseller_id = h.reseller_id and k.spending_limit is not null),
         h.request_id, h.owner_id, h.lease_token, h.created_at
    from jsonb_to_recordset(p_holds) as h (
           id uuid, kind text, reseller_id int, license_id int, bundle_instance_id int, hold_amount bigint, price bigint,
           currency text, plan jsonb, actor text, request_id text, owner_id uuid, lease_token uuid, created_at timestamptz,
           new_licenses jsonb, new_instance jsonb);

  if p_holds @? '$[*].new_licenses' then perform create_pending_licenses(p_holds); end if;
  if p_holds @? '$[*] ? (exists (@.lock_licenses) || @.bundle_instance_id != null)' then perform lock_for_change(p_holds); end if;
  if p_holds @? '$[*].item_token' then perform require_running_items(p_holds); end if;
  if p_holds @? '$[*].claims' then
    insert into address_claims (sandbox_id, reseller_id, license_id, product_id, ip_address, valid_from, valid_until, operation_id)
    select sandbox_of(h.reseller_id), h.reseller_id, c.license_id, l.product_id, c.ip_address, c.valid_from, c.valid_until, h.id
      from jsonb_to_recordset(p_holds) as h (place int, id uuid, reseller_id int, claims jsonb)
     cross join jsonb_to_recordset(h.claims) as c (license_id int, ip_address text, valid_from timestamptz, valid_until timestamptz)
      left join licenses l on l.id = c.license_id and l.reseller_id is not distinct from h.reseller_id
     order by h.place, l.product_id;
  end if;
  if p_holds @? '$[*].plan.coreCredits' then
    insert into core_credits (lot_id, reseller_id, operation_id, cores, credited_from, amount)
    select c."lotId", h.reseller_id, h.id, c.cores, c."creditedFrom", c.amount
      from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, plan jsonb),
           jsonb_to_recordset(h.plan -> 'coreCredits') as c ("lotId" int, cores int, "creditedFrom" timestamptz, amount bigint);
  end if;
  if p_holds @? '$[*].idempotency_key' then perform link_idempotency_keys(p_holds); end if;

  -- The wallets come last: every purchase of their resellers waits for these rows.
  perform hold_money(p_holds);
  -- After the wallets, because other charges of the key wait for them, too, and refunds and credits of the same charge.
  if p_holds @? '$[*] ? (@.actor starts with "key:")' then
    perform refuse_overspending(o)
       from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, hold_amount bigint, actor text)
       join operations o on o.id = h.id and o.reseller_id is not distinct from h.reseller_id
      where h.hold_amount > 0 and h.actor like 'key:%';
  end if;
  if p_holds @? '$[*] ? (exists (@.plan.coreCredits) || @.price starts with "-")' then
    perform require_core_credits(o)
       from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, price bigint, plan jsonb)
       join operations o on o.id = h.id and o.reseller_id is not distinct from h.reseller_id
      where h.price < 0 or h.plan ? 'coreCredits';
  end if;

  return query
    select h.place,
           case when h.new_licenses is null then array(select seen.id from jsonb_to_recordset(h.lock_licenses) as seen (id int))
                when o.bundle_instance_id is null then array[o.license_id]
                else array(select l.id from licenses l where l.bundle_instance_id = o.bundle_instance_id order by l.id) end,
           o.bundle_instance_id,
           (w.posted - w.held + coalesce(sum(h.hold_amount) over later, 0))::bigint
      from jsonb_to_recordset(p_holds) as h (place int, id uuid, reseller_id int, hold_amount bigint, new_licenses jsonb, lock_licenses jsonb)
      join operations o on o.id = h.id and o.reseller_id is not distinct from h.reseller_id
      join wallets w on w.reseller_id = h.reseller_id
    window later as (partition by h.reseller_id order by h.place rows between 1 following and unbounded following);
end $$;
