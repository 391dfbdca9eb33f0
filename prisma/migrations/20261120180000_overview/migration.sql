-- DropIndex
DROP INDEX "licenses_reseller_id_expires_at_idx";

-- CreateIndex
CREATE INDEX "licenses_by_end_and_state" ON "licenses"("reseller_id", "expires_at", "terminated_at", "provisioned_at", "suspended_at");

-- The few that need somebody, among a million that do not.
create index events_failed_renewals on events (reseller_id, occurred_at) where kind = 'license.renewal_failed';
create index licenses_suspended_by_admin on licenses (reseller_id, id) where suspended_by = 'admin';
