-- Places the holds of concurrent requests in one transaction: inserts operations in state `held`, reserves their money, and
-- locks or creates their licenses. Each hold is admitted or refused as if they came one after the other in the order of the
-- list. Locks API keys first, then addresses and external ids, then rows, then wallets, each in one order, so that two lists
-- never wait for each other.
--   p_holds   [{place, id, kind, reseller_id, license_id, bundle_instance_id, hold_amount, price, currency, plan, actor,
--             request_id, owner_id, lease_token, created_at, new_licenses?, new_instance?, lock_licenses?, claims?,
--             instance_version?, renewal_rules?, item_token?, idempotency_key?, key_token?}], ordered by place
--     bundle_instance_id the bundle instance that it changes, with the version read: instance_version
--     currency           null: the wallet's
--     new_licenses       rows to insert, in order; pending until settled
--     new_instance       a bundle instance to insert first
--     lock_licenses      licenses that the operation changes, with the version read: [{id, version}]
--     renewal_rules      of an automatic renewal: the reseller's rules by which it was judged
--     item_token         of a job's item, which request_id names: the lease of the worker that runs it
--     claims             addresses to reserve until it ends: [{license_id, ip_address, valid_from, valid_until}]
--     idempotency_key    the key of the request, claimed under key_token; linked to the operation
-- Returns a row for each hold; `refusal` is the SQLSTATE of a refused one, which changes nothing:
--   LD001   a license, bundle or lot has an operation in flight, has ended or has changed since it was read, the rules of
--           automatic renewals have changed, or another worker has taken the item
--   LD002   the funds are insufficient
--   LD007   another request has claimed the idempotency key, or it has an operation that was not rejected
--   LD010   a suspended reseller would pay
--   LD012   the API key's spending limit is reached
--   55P03   somebody else keeps the wallet locked for longer than a list waits
--   23P01   a live license of the product has the address
--   23505   a license of the reseller has the external id, or the term or bulk item an operation
-- Raises any other failure: nothing is held then.
-- Waits 1.5 s for a lock, because all others of the list wait with it; PostgreSQL finds a deadlock after 1 s, which fails only
-- one of the two. The other settings are explained in `settle_operations`.
create or replace function hold_operations(p_holds jsonb) returns table (
  place int, license_ids int[], bundle_instance_id int, spendable bigint, refusal text, message text, detail text, violated text
) language plpgsql
set plan_cache_mode to force_generic_plan set join_collapse_limit to 1 set from_collapse_limit to 1 set cpu_tuple_cost to 10
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off set lock_timeout to '1500ms' as $$
#variable_conflict use_column
declare
  waiting jsonb[] := array[p_holds];
  round jsonb;
  -- Once a round has failed, the wallets of all holds are locked: several rounds would lock them in another order.
  has_wallets boolean := false;
  blocked int[];
  size int;
begin
  perform lock_holds(p_holds);
  while waiting <> '{}' loop
    round := waiting[1];
    waiting := waiting[2:];
    begin
      return query select h.place, h.license_ids, h.bundle_instance_id, h.spendable, null, null, null, null from place_holds(round) h;
    exception when sqlstate 'LD001' or sqlstate 'LD002' or sqlstate 'LD007' or sqlstate 'LD010' or sqlstate 'LD012'
                or exclusion_violation or unique_violation or lock_not_available then
      if jsonb_array_length(round) = 1 then
        place := (round #>> '{0,place}')::int;
        license_ids := null; bundle_instance_id := null; spendable := null;
        get stacked diagnostics refusal = returned_sqlstate, message = message_text, detail = pg_exception_detail, violated = constraint_name;
        return next;
        continue;
      end if;
      blocked := '{}';
      if not has_wallets then blocked := lock_free_wallets(p_holds, sqlstate <> '55P03'); end if;
      if sqlstate = '55P03' and blocked = '{}' then raise; end if;
      has_wallets := true;
      -- Nothing of the round remains.
      if blocked <> '{}' then
        return query
          select h.place, null::int[], null::int, null::bigint, '55P03', 'the wallet is locked', null, null
            from jsonb_to_recordset(p_holds) as h (place int, reseller_id int) where h.reseller_id = any (blocked);
        round := (select jsonb_agg(h.hold order by h.place)
                    from jsonb_array_elements(p_holds) with ordinality as h (hold, place)
                   where (h.hold ->> 'reseller_id')::int is null or (h.hold ->> 'reseller_id')::int <> all (blocked));
        waiting := array_remove(array[round], null);
      else
        -- Its halves follow in order, down to the hold that is refused.
        size := jsonb_array_length(round);
        waiting := array[jsonb_path_query_array(round, '$[0 to $half - 1]', jsonb_build_object('half', size / 2)),
                         jsonb_path_query_array(round, '$[$half to last]', jsonb_build_object('half', size / 2))] || waiting;
      end if;
    end;
  end loop;
end $$;
