-- Moves a license of a sandbox, or its bundle, ahead in its life: every date of it moves into the past, so that its term
-- ends at p_ends_at. The test provider's books move along.
-- Returns false if no unterminated license of the sandbox has the id, its unit has an operation in flight, or it ends earlier.
-- Raises nothing.
create or replace function advance_license(p_sandbox_id int, p_license_id int, p_ends_at timestamptz)
returns boolean language plpgsql set timezone = 'UTC' as $$
declare
  shift interval;
  bundle int;
begin
  select l.bundle_instance_id into bundle from licenses l
   where l.id = p_license_id and l.reseller_id = p_sandbox_id and sandbox_of(p_sandbox_id) <> 0;
  if not found then return false; end if;
  perform from bundle_instances b where b.id = bundle and b.reseller_id = p_sandbox_id for update;
  perform from licenses l
    where (l.id = p_license_id or l.bundle_instance_id = bundle) and l.reseller_id = p_sandbox_id order by l.id for update;
  select l.expires_at - p_ends_at into shift
    from licenses l
   where l.id = p_license_id and l.terminated_at is null and l.expires_at > p_ends_at
     and not exists (select from licenses_of_unit(l.id) u where u.open_operation_id is not null);
  if not found then return false; end if;
  update core_credits c set credited_from = c.credited_from - shift
    from core_lots t join licenses_of_unit(p_license_id) u on u.id = t.license_id where t.id = c.lot_id;
  update core_lots t set starts_at = t.starts_at - shift, ends_at = t.ends_at - shift
    from licenses_of_unit(p_license_id) u where u.id = t.license_id;
  update paid_terms t set starts_at = t.starts_at - shift, ends_at = t.ends_at - shift
    from licenses_of_unit(p_license_id) u where u.id = t.license_id;
  update sandbox_provider_licenses s set expires_at = s.expires_at - shift
    from licenses l join licenses_of_unit(p_license_id) u on u.id = l.id where s.reference = l.key;
  update bundle_instances b
     set issued_at = b.issued_at - shift, anchored_at = b.anchored_at - shift, expires_at = b.expires_at - shift,
         provisioned_at = b.provisioned_at - shift, renewal_price_announced_at = b.renewal_price_announced_at - shift
   where b.id = bundle;
  update licenses l
     set issued_at = l.issued_at - shift, anchored_at = l.anchored_at - shift, expires_at = l.expires_at - shift,
         provisioned_at = l.provisioned_at - shift, suspended_at = l.suspended_at - shift, updated_at = l.updated_at - shift,
         renewal_price_announced_at = l.renewal_price_announced_at - shift
    from licenses_of_unit(p_license_id) u where u.id = l.id;
  return true;
end $$;
