-- What the license list is ordered and filtered by (decision 12). Text order would put 10.0.0.10 before 10.0.0.9.
create index licenses_by_address on licenses (reseller_id, (ip_address::inet), id);
-- What few licenses are is not found by walking past the others.
create index licenses_pending on licenses (reseller_id, id) where terminated_at is null and provisioned_at is null;
create index licenses_suspended on licenses (reseller_id, id) where terminated_at is null and provisioned_at is not null and suspended_at is not null;
create index licenses_terminated on licenses (reseller_id, id) where terminated_at is not null;
create index licenses_in_bundle on licenses (reseller_id, id) where bundle_instance_id is not null;
create index licenses_renewed_by_hand on licenses (reseller_id, id) where not auto_renew and bundle_instance_id is null;
create index bundle_instances_by_bundle on bundle_instances (reseller_id, bundle_id);
