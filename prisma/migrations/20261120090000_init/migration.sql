-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "suspended_by" AS ENUM ('reseller', 'admin');

-- CreateEnum
CREATE TYPE "operation_kind" AS ENUM ('license_register', 'license_renew', 'license_change_ip', 'license_change_core', 'license_suspend', 'license_unsuspend', 'bundle_register', 'bundle_renew', 'bundle_change_ip');

-- CreateEnum
CREATE TYPE "operation_state" AS ENUM ('held', 'sent', 'succeeded', 'rejected', 'unknown');

-- CreateEnum
CREATE TYPE "provider_kind" AS ENUM ('sandbox', 'dispatch');

-- CreateEnum
CREATE TYPE "reconciliation_case_kind" AS ENUM ('charged_not_provisioned', 'provisioned_not_charged', 'differs', 'unknown_outcome', 'late_success');

-- CreateEnum
CREATE TYPE "top_up_request_state" AS ENUM ('requested', 'approved', 'declined');

-- CreateEnum
CREATE TYPE "user_role" AS ENUM ('admin', 'reseller');

-- CreateEnum
CREATE TYPE "ledger_account" AS ENUM ('revenue', 'top_ups', 'adjustments', 'credits');

-- CreateEnum
CREATE TYPE "ledger_entry_kind" AS ENUM ('charge', 'credit', 'top_up', 'adjustment', 'refund');

-- CreateTable
CREATE TABLE "api_keys" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "hint" TEXT NOT NULL,
    "scopes" TEXT[],
    "allowed_cidrs" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "rate_limit_per_minute" INTEGER NOT NULL DEFAULT 600,
    "signing_secret" BYTEA,
    "requires_signature" BOOLEAN NOT NULL DEFAULT false,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "used_signatures" (
    "api_key_id" INTEGER NOT NULL,
    "signature" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_signatures_pkey" PRIMARY KEY ("api_key_id","signature")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "reseller_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "operation_id" UUID,
    "status" INTEGER,
    "body" TEXT,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("reseller_id","key")
);

-- CreateTable
CREATE TABLE "products" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "core_metered" BOOLEAN NOT NULL DEFAULT false,
    "workers" INTEGER NOT NULL DEFAULT 0,
    "provider" TEXT NOT NULL DEFAULT 'sandbox',
    "provider_sku" TEXT NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "products_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing_cycles" (
    "id" SERIAL NOT NULL,
    "product_id" INTEGER,
    "bundle_id" INTEGER,
    "name" TEXT NOT NULL,
    "months" INTEGER NOT NULL,
    "provider_cycle" TEXT,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "billing_cycles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prices" (
    "id" SERIAL NOT NULL,
    "cycle_id" INTEGER NOT NULL,
    "reseller_id" INTEGER,
    "currency" CHAR(3) NOT NULL,
    "price" BIGINT NOT NULL,
    "setup_fee" BIGINT NOT NULL DEFAULT 0,
    "price_per_core" BIGINT,

    CONSTRAINT "prices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bundles" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "bundles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bundle_members" (
    "bundle_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "bundle_members_pkey" PRIMARY KEY ("bundle_id","product_id")
);

-- CreateTable
CREATE TABLE "diagnostics_reports" (
    "id" BIGSERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "license_id" INTEGER NOT NULL,
    "hostname" TEXT NOT NULL,
    "os" TEXT NOT NULL,
    "kernel" TEXT NOT NULL,
    "cpu_cores" INTEGER NOT NULL,
    "memory" TEXT NOT NULL,
    "disk_free" TEXT NOT NULL,
    "uptime" TEXT NOT NULL,
    "source_address" TEXT NOT NULL,
    "address_matches" BOOLEAN NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "diagnostics_reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "license_id" INTEGER,
    "bundle_instance_id" INTEGER,
    "operation_id" UUID,
    "once_key" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "licenses" (
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "cycle_id" INTEGER,
    "bundle_instance_id" INTEGER,
    "ip_address" TEXT NOT NULL,
    "hostname" TEXT NOT NULL DEFAULT '',
    "cores" INTEGER,
    "notes" TEXT NOT NULL DEFAULT '',
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "anchored_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "provisioned_at" TIMESTAMPTZ(3),
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_by" "suspended_by",
    "suspension_reason" TEXT NOT NULL DEFAULT '',
    "terminated_at" TIMESTAMPTZ(3),
    "auto_renew" BOOLEAN NOT NULL DEFAULT false,
    "provider_reference" TEXT,
    "open_operation_id" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "licenses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "address_claims" (
    "id" BIGSERIAL NOT NULL,
    "license_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "ip_address" TEXT NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_until" TIMESTAMPTZ(3) NOT NULL,
    "operation_id" UUID,

    CONSTRAINT "address_claims_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bundle_instances" (
    "id" SERIAL NOT NULL,
    "bundle_id" INTEGER NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "cycle_id" INTEGER NOT NULL,
    "ip_address" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "anchored_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "provisioned_at" TIMESTAMPTZ(3),
    "terminated_at" TIMESTAMPTZ(3),
    "auto_renew" BOOLEAN NOT NULL DEFAULT false,
    "open_operation_id" UUID,

    CONSTRAINT "bundle_instances_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verifications" (
    "id" BIGSERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "license_id" INTEGER,
    "seen_ip" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operations" (
    "id" UUID NOT NULL,
    "kind" "operation_kind" NOT NULL,
    "state" "operation_state" NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "license_id" INTEGER,
    "bundle_instance_id" INTEGER,
    "hold_amount" BIGINT NOT NULL,
    "price" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "plan" JSONB NOT NULL,
    "balance_after" BIGINT,
    "failure_message" TEXT,
    "actor" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "reconciled_at" TIMESTAMPTZ(3),

    CONSTRAINT "operations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "providers" (
    "name" TEXT NOT NULL,
    "kind" "provider_kind" NOT NULL,
    "base_url" TEXT,
    "credentials" BYTEA,
    "signs" BOOLEAN NOT NULL DEFAULT false,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "providers_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "reconciliation_cases" (
    "id" SERIAL NOT NULL,
    "kind" "reconciliation_case_kind" NOT NULL,
    "provider" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "reseller_id" INTEGER,
    "license_id" INTEGER,
    "operation_id" UUID,
    "facts" JSONB NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "resolution" TEXT,

    CONSTRAINT "reconciliation_cases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "reseller_id" INTEGER,
    "subject" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "resellers" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "expiring_soon_days" INTEGER[] DEFAULT ARRAY[14, 3]::INTEGER[],
    "renew_ahead_days" INTEGER NOT NULL DEFAULT 3,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "resellers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sandbox_provider_licenses" (
    "reference" TEXT NOT NULL,
    "product" TEXT NOT NULL,
    "ip_address" TEXT NOT NULL,
    "cores" INTEGER,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,

    CONSTRAINT "sandbox_provider_licenses_pkey" PRIMARY KEY ("reference")
);

-- CreateTable
CREATE TABLE "sandbox_provider_requests" (
    "idempotency_key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "accepted" BOOLEAN NOT NULL,
    "message" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sandbox_provider_requests_pkey" PRIMARY KEY ("idempotency_key")
);

-- CreateTable
CREATE TABLE "top_up_requests" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "reference" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "state" "top_up_request_state" NOT NULL DEFAULT 'requested',
    "requested_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decision_note" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "top_up_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" "user_role" NOT NULL,
    "reseller_id" INTEGER,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wallets" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "minor_digits" INTEGER NOT NULL,
    "posted" BIGINT NOT NULL DEFAULT 0,
    "held" BIGINT NOT NULL DEFAULT 0,
    "low_balance_threshold" BIGINT,
    "low_balance_told_at" TIMESTAMPTZ(3),

    CONSTRAINT "wallets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entries" (
    "id" BIGSERIAL NOT NULL,
    "wallet_id" INTEGER NOT NULL,
    "counter_account" "ledger_account" NOT NULL,
    "kind" "ledger_entry_kind" NOT NULL,
    "amount" BIGINT NOT NULL,
    "posted_after" BIGINT NOT NULL,
    "operation_id" UUID,
    "reference" TEXT,
    "note" TEXT NOT NULL DEFAULT '',
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_secret_hash_key" ON "api_keys"("secret_hash");

-- CreateIndex
CREATE INDEX "api_keys_reseller_id_idx" ON "api_keys"("reseller_id");

-- CreateIndex
CREATE INDEX "used_signatures_used_at_idx" ON "used_signatures"("used_at");

-- CreateIndex
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "products_slug_key" ON "products"("slug");

-- CreateIndex
CREATE INDEX "products_provider_idx" ON "products"("provider");

-- CreateIndex
CREATE UNIQUE INDEX "billing_cycles_product_id_months_key" ON "billing_cycles"("product_id", "months");

-- CreateIndex
CREATE UNIQUE INDEX "billing_cycles_bundle_id_months_key" ON "billing_cycles"("bundle_id", "months");

-- CreateIndex
CREATE INDEX "prices_reseller_id_idx" ON "prices"("reseller_id");

-- CreateIndex
CREATE INDEX "bundle_members_product_id_idx" ON "bundle_members"("product_id");

-- CreateIndex
CREATE UNIQUE INDEX "bundle_members_bundle_id_position_key" ON "bundle_members"("bundle_id", "position");

-- CreateIndex
CREATE INDEX "diagnostics_reports_license_id_id_idx" ON "diagnostics_reports"("license_id", "id");

-- CreateIndex
CREATE INDEX "diagnostics_reports_reseller_id_hostname_id_idx" ON "diagnostics_reports"("reseller_id", "hostname", "id");

-- CreateIndex
CREATE UNIQUE INDEX "events_once_key_key" ON "events"("once_key");

-- CreateIndex
CREATE INDEX "events_reseller_id_occurred_at_idx" ON "events"("reseller_id", "occurred_at");

-- CreateIndex
CREATE INDEX "events_license_id_occurred_at_idx" ON "events"("license_id", "occurred_at");

-- CreateIndex
CREATE UNIQUE INDEX "licenses_key_key" ON "licenses"("key");

-- CreateIndex
CREATE INDEX "licenses_reseller_id_id_idx" ON "licenses"("reseller_id", "id");

-- CreateIndex
CREATE INDEX "licenses_reseller_id_expires_at_idx" ON "licenses"("reseller_id", "expires_at");

-- CreateIndex
CREATE INDEX "licenses_expires_at_idx" ON "licenses"("expires_at");

-- CreateIndex
CREATE INDEX "licenses_reseller_id_ip_address_idx" ON "licenses"("reseller_id", "ip_address");

-- CreateIndex
CREATE INDEX "licenses_reseller_id_product_id_id_idx" ON "licenses"("reseller_id", "product_id", "id");

-- CreateIndex
CREATE INDEX "licenses_bundle_instance_id_idx" ON "licenses"("bundle_instance_id");

-- CreateIndex
CREATE INDEX "licenses_open_operation_id_idx" ON "licenses"("open_operation_id");

-- CreateIndex
CREATE INDEX "address_claims_license_id_idx" ON "address_claims"("license_id");

-- CreateIndex
CREATE INDEX "bundle_instances_reseller_id_id_idx" ON "bundle_instances"("reseller_id", "id");

-- CreateIndex
CREATE INDEX "bundle_instances_expires_at_idx" ON "bundle_instances"("expires_at");

-- CreateIndex
CREATE INDEX "bundle_instances_open_operation_id_idx" ON "bundle_instances"("open_operation_id");

-- CreateIndex
CREATE INDEX "verifications_license_id_id_idx" ON "verifications"("license_id", "id");

-- CreateIndex
CREATE INDEX "operations_reseller_id_created_at_idx" ON "operations"("reseller_id", "created_at");

-- CreateIndex
CREATE INDEX "operations_license_id_created_at_idx" ON "operations"("license_id", "created_at");

-- CreateIndex
CREATE INDEX "operations_bundle_instance_id_created_at_idx" ON "operations"("bundle_instance_id", "created_at");

-- CreateIndex
CREATE INDEX "reconciliation_cases_resolved_at_last_seen_at_idx" ON "reconciliation_cases"("resolved_at", "last_seen_at");

-- CreateIndex
CREATE INDEX "audit_entries_reseller_id_id_idx" ON "audit_entries"("reseller_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_subject_id_idx" ON "audit_entries"("subject", "id");

-- CreateIndex
CREATE INDEX "sandbox_provider_licenses_ip_address_idx" ON "sandbox_provider_licenses"("ip_address");

-- CreateIndex
CREATE INDEX "sandbox_provider_requests_reference_idx" ON "sandbox_provider_requests"("reference");

-- CreateIndex
CREATE INDEX "top_up_requests_state_id_idx" ON "top_up_requests"("state", "id");

-- CreateIndex
CREATE UNIQUE INDEX "top_up_requests_reseller_id_reference_key" ON "top_up_requests"("reseller_id", "reference");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_reseller_id_idx" ON "users"("reseller_id");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "wallets_reseller_id_key" ON "wallets"("reseller_id");

-- CreateIndex
CREATE INDEX "ledger_entries_wallet_id_id_idx" ON "ledger_entries"("wallet_id", "id");

-- CreateIndex
CREATE INDEX "ledger_entries_operation_id_idx" ON "ledger_entries"("operation_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entries_wallet_id_reference_key" ON "ledger_entries"("wallet_id", "reference");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "used_signatures" ADD CONSTRAINT "used_signatures_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billing_cycles" ADD CONSTRAINT "billing_cycles_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "billing_cycles" ADD CONSTRAINT "billing_cycles_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prices" ADD CONSTRAINT "prices_cycle_id_fkey" FOREIGN KEY ("cycle_id") REFERENCES "billing_cycles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prices" ADD CONSTRAINT "prices_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_members" ADD CONSTRAINT "bundle_members_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_members" ADD CONSTRAINT "bundle_members_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "diagnostics_reports" ADD CONSTRAINT "diagnostics_reports_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "diagnostics_reports" ADD CONSTRAINT "diagnostics_reports_license_id_fkey" FOREIGN KEY ("license_id") REFERENCES "licenses"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_operation_id_fkey" FOREIGN KEY ("operation_id") REFERENCES "operations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_cycle_id_fkey" FOREIGN KEY ("cycle_id") REFERENCES "billing_cycles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_bundle_instance_id_fkey" FOREIGN KEY ("bundle_instance_id") REFERENCES "bundle_instances"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_open_operation_id_fkey" FOREIGN KEY ("open_operation_id") REFERENCES "operations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "address_claims" ADD CONSTRAINT "address_claims_license_id_fkey" FOREIGN KEY ("license_id") REFERENCES "licenses"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_instances" ADD CONSTRAINT "bundle_instances_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_instances" ADD CONSTRAINT "bundle_instances_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_instances" ADD CONSTRAINT "bundle_instances_cycle_id_fkey" FOREIGN KEY ("cycle_id") REFERENCES "billing_cycles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "bundle_instances" ADD CONSTRAINT "bundle_instances_open_operation_id_fkey" FOREIGN KEY ("open_operation_id") REFERENCES "operations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "operations" ADD CONSTRAINT "operations_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reconciliation_cases" ADD CONSTRAINT "reconciliation_cases_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "top_up_requests" ADD CONSTRAINT "top_up_requests_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_wallet_id_fkey" FOREIGN KEY ("wallet_id") REFERENCES "wallets"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_operation_id_fkey" FOREIGN KEY ("operation_id") REFERENCES "operations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
