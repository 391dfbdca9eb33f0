-- Locks the bundles and licenses that operations change, for as long as they are open.
--   p_holds   as `hold_operations` describes them
-- Raises LD001 if one has an operation in flight, has ended or has changed since it was read, or if the rules of an
-- automatic renewal have changed since it was judged.
create or replace function lock_for_change(p_holds jsonb) returns void language plpgsql as $$
declare
  locked int;
begin
  update bundle_instances b set open_operation_id = h.id
    from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, bundle_instance_id int, instance_version text)
   where b.id = h.bundle_instance_id and b.reseller_id is not distinct from h.reseller_id and b.xmin::text = h.instance_version
     and b.open_operation_id is null and b.terminated_at is null;
  get diagnostics locked = row_count;
  if locked <> (select count(h.bundle_instance_id) from jsonb_to_recordset(p_holds) as h (bundle_instance_id int)) then
    raise exception 'a bundle instance is busy' using errcode = 'LD001';
  end if;

  update licenses l set open_operation_id = h.id
    from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, lock_licenses jsonb)
   cross join jsonb_to_recordset(h.lock_licenses) as seen (id int, version text)
   where l.id = seen.id and l.reseller_id is not distinct from h.reseller_id and l.xmin::text = seen.version
     and l.open_operation_id is null and l.terminated_at is null;
  get diagnostics locked = row_count;
  if locked <> (select coalesce(sum(jsonb_array_length(h.lock_licenses)), 0) from jsonb_to_recordset(p_holds) as h (lock_licenses jsonb)) then
    raise exception 'a license is busy' using errcode = 'LD001';
  end if;

  if p_holds @? '$[*].renewal_rules' then
    perform from jsonb_to_recordset(p_holds) as h (reseller_id int, renewal_rules jsonb)
       join resellers r on r.id = h.reseller_id
      where h.renewal_rules <> jsonb_build_object('renewAheadDays', r.renew_ahead_days, 'noticeDays', r.price_notice_days,
                                                  'maxIncreasePercent', r.max_increase_percent);
    if found then raise exception 'the rules of automatic renewals have changed' using errcode = 'LD001'; end if;
  end if;
end $$;
