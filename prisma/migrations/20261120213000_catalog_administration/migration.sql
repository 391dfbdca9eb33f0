-- DropIndex
DROP INDEX "products_provider_idx";

-- AlterTable
ALTER TABLE "billing_cycles" ADD COLUMN     "cost_currency" CHAR(3),
ADD COLUMN     "cost_per_core" BIGINT,
ADD COLUMN     "cost_price" BIGINT,
ADD COLUMN     "cost_setup_fee" BIGINT;

-- AlterTable
ALTER TABLE "products" ADD COLUMN     "description" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "bundle_instances_bundle_id_cycle_id_expires_at_terminated_a_idx" ON "bundle_instances"("bundle_id", "cycle_id", "expires_at", "terminated_at");

-- CreateIndex
CREATE INDEX "licenses_product_id_cycle_id_expires_at_terminated_at_idx" ON "licenses"("product_id", "cycle_id", "expires_at", "terminated_at");

-- CreateIndex
CREATE UNIQUE INDEX "products_provider_provider_sku_key" ON "products"("provider", "provider_sku");
