-- AlterTable
ALTER TABLE "diagnostics_reports" ADD COLUMN     "address" TEXT,
ADD COLUMN     "clock_offset_s" INTEGER;

-- Reports from before did not keep what their license was bound to.
UPDATE "diagnostics_reports" r SET "address" = l."ip_address" FROM "licenses" l WHERE l."id" = r."license_id";
ALTER TABLE "diagnostics_reports" ALTER COLUMN "address" SET NOT NULL;

-- CreateTable
CREATE TABLE "servers" (
    "id" BIGSERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "report_id" BIGINT NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,
    "severity" INTEGER NOT NULL,
    "problems" TEXT[],

    CONSTRAINT "servers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "servers_report_id_key" ON "servers"("report_id");

-- CreateIndex
CREATE INDEX "servers_reseller_id_severity_address_idx" ON "servers"("reseller_id", "severity", "address");

-- CreateIndex
CREATE INDEX "servers_reseller_id_reported_at_idx" ON "servers"("reseller_id", "reported_at");

-- CreateIndex
CREATE UNIQUE INDEX "servers_reseller_id_address_key" ON "servers"("reseller_id", "address");

-- CreateIndex
CREATE INDEX "diagnostics_reports_reseller_id_address_reported_at_idx" ON "diagnostics_reports"("reseller_id", "address", "reported_at");

-- AddForeignKey
ALTER TABLE "servers" ADD CONSTRAINT "servers_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "servers" ADD CONSTRAINT "servers_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "diagnostics_reports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The newest report of each address; what its disk says comes with the next one.
INSERT INTO "servers" ("reseller_id", "address", "hostname", "report_id", "reported_at", "severity", "problems")
SELECT DISTINCT ON ("reseller_id", "address") "reseller_id", "address", "hostname", "id", "reported_at",
       CASE WHEN "address_matches" THEN 0 ELSE 2 END, CASE WHEN "address_matches" THEN '{}'::text[] ELSE '{address}' END
  FROM "diagnostics_reports"
 ORDER BY "reseller_id", "address", "id" DESC;

-- Search over host name and address, as typed: any part, any case.
CREATE INDEX "servers_search" ON "servers" USING gin (lower("hostname" || ' ' || "address") gin_trgm_ops);
