-- Emits license.expired for a license whose term ended at p_now or earlier, once per end of a term. `emitNextNotices` has
-- passed this end if the license only got it, or was reactivated, afterwards.
-- Raises nothing.
create or replace function emit_past_expiry(p_license_id int, p_now timestamptz) returns void language sql as $$
  insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, once_key, occurred_at)
  select gen_random_uuid(), l.reseller_id, 'license.expired',
         license_facts(l.id) || jsonb_build_object('expires_at', past.ended_at, 'auto_renew', coalesce(b.auto_renew, l.auto_renew)),
         l.id, l.bundle_instance_id, 'license.expired:' || l.id || ':' || past.ended_at, p_now
    from licenses l
    left join bundle_instances b on b.id = l.bundle_instance_id and b.reseller_id = l.reseller_id
   cross join lateral (select to_char(l.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ended_at) past
   where l.id = p_license_id and l.expires_at <= p_now and l.provisioned_at is not null and l.terminated_at is null
  on conflict (once_key) where once_key is not null do nothing
$$;
