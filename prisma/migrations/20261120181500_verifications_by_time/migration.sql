-- DropIndex
DROP INDEX "verifications_license_id_id_idx";

-- CreateIndex
CREATE INDEX "verifications_license_id_checked_at_id_code_idx" ON "verifications"("license_id", "checked_at", "id", "code");
