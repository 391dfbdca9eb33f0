-- Generated from prisma/schema and prisma/sql. Do not edit: change those, then run `npm run db:migration -- --baseline`.
CREATE SCHEMA IF NOT EXISTS "public";
CREATE TYPE "bulk_job_state" AS ENUM ('queued', 'running', 'undoing', 'finished');
CREATE TYPE "bulk_item_state" AS ENUM ('queued', 'running', 'succeeded', 'failed', 'pending', 'skipped', 'undone');
CREATE TYPE "bulk_actor_kind" AS ENUM ('reseller_user', 'admin');
CREATE TYPE "suspended_by" AS ENUM ('reseller', 'admin');
CREATE TYPE "mail_state" AS ENUM ('pending', 'sent', 'failed');
CREATE TYPE "operation_kind" AS ENUM ('license_register', 'license_renew', 'license_change_ip', 'license_change_core', 'license_suspend', 'license_unsuspend', 'license_terminate', 'license_correct', 'bundle_register', 'bundle_renew', 'bundle_change_ip');
CREATE TYPE "operation_state" AS ENUM ('held', 'sent', 'succeeded', 'rejected', 'unknown');
CREATE TYPE "provider_kind" AS ENUM ('sandbox', 'dispatch', 'test');
CREATE TYPE "reconciliation_case_kind" AS ENUM ('charged_not_provisioned', 'provisioned_not_charged', 'unknown_at_ours', 'differs', 'unknown_outcome', 'late_success');
CREATE TYPE "top_up_request_state" AS ENUM ('requested', 'approved', 'declined');
CREATE TYPE "user_role" AS ENUM ('owner', 'manager', 'operator', 'support', 'finance', 'developer', 'viewer');
CREATE TYPE "ledger_account" AS ENUM ('revenue', 'top_ups', 'adjustments', 'credits');
CREATE TYPE "ledger_entry_kind" AS ENUM ('charge', 'credit', 'top_up', 'adjustment', 'refund');
CREATE TYPE "payment_method" AS ENUM ('bank_transfer', 'card', 'cash', 'other');
CREATE TYPE "webhook_delivery_state" AS ENUM ('pending', 'succeeded', 'failed', 'discarded');
CREATE TYPE "webhook_format" AS ENUM ('standard', 'slack', 'telegram');
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
    "last_used_from" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "spending_limit" BIGINT,
    "license_id" INTEGER,
    "first_id" INTEGER,
    "successor_id" INTEGER,
    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "used_signatures" (
    "api_key_id" INTEGER NOT NULL,
    "signature" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "used_signatures_pkey" PRIMARY KEY ("api_key_id","signature")
);
CREATE TABLE "idempotency_records" (
    "reseller_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "operation_id" UUID,
    "status" INTEGER,
    "body" TEXT,
    "owner_id" UUID,
    "lease_token" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("reseller_id","key")
);
CREATE TABLE "admin_idempotency_records" (
    "user_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "owner_id" UUID,
    "lease_token" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "admin_idempotency_records_pkey" PRIMARY KEY ("user_id","key")
);
CREATE TABLE "api_requests" (
    "id" BIGSERIAL NOT NULL,
    "api_key_id" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "method" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "status" SMALLINT NOT NULL,
    "request_count" INTEGER NOT NULL DEFAULT 1,
    "total_duration_us" BIGINT NOT NULL,
    "max_duration_us" INTEGER NOT NULL,
    "request_id" TEXT,
    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("id","started_at")
) PARTITION BY RANGE ("started_at");
CREATE TABLE "api_requests_default" PARTITION OF "api_requests" DEFAULT;
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "actor" TEXT NOT NULL,
    "acting_as_reseller_id" INTEGER,
    "action" TEXT NOT NULL,
    "reseller_id" INTEGER,
    "subject" TEXT NOT NULL,
    "subject_label" TEXT NOT NULL DEFAULT '',
    "reason" TEXT NOT NULL DEFAULT '',
    "data" JSONB NOT NULL DEFAULT '{}',
    "request_id" TEXT NOT NULL DEFAULT '',
    "address" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "audit_links" (
    "position" BIGINT NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    CONSTRAINT "audit_links_pkey" PRIMARY KEY ("position")
);
CREATE TABLE "backups" (
    "id" SERIAL NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "file" TEXT,
    "bytes" BIGINT,
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "error" TEXT,
    CONSTRAINT "backups_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "archive_states" (
    "single" BOOLEAN NOT NULL DEFAULT true,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "complete_until" TIMESTAMPTZ(3),
    "problem" TEXT,
    CONSTRAINT "archive_states_pkey" PRIMARY KEY ("single")
);
CREATE TABLE "bulk_jobs" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "parameters" JSONB NOT NULL,
    "state" "bulk_job_state" NOT NULL DEFAULT 'queued',
    "quoted_total" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "actor_kind" "bulk_actor_kind" NOT NULL,
    "user_id" INTEGER NOT NULL,
    "idempotency_key" TEXT,
    "owner_id" UUID,
    "lease_token" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "waits_until" TIMESTAMPTZ(3),
    "canceled_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    CONSTRAINT "bulk_jobs_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "bulk_job_items" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "job_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "license_id" INTEGER,
    "bundle_instance_id" INTEGER,
    "input" JSONB NOT NULL,
    "state" "bulk_item_state" NOT NULL DEFAULT 'queued',
    "error_code" TEXT,
    "error_message" TEXT,
    "operation_id" UUID,
    "charged_amount" BIGINT NOT NULL DEFAULT 0,
    "ended_at" TIMESTAMPTZ(3),
    "revert_at" TIMESTAMPTZ(3),
    "revert_until" TIMESTAMPTZ(3),
    CONSTRAINT "bulk_job_items_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "relocation_addresses" (
    "reseller_id" INTEGER NOT NULL,
    "ip_address" TEXT NOT NULL,
    "job_id" INTEGER NOT NULL,
    CONSTRAINT "relocation_addresses_pkey" PRIMARY KEY ("reseller_id","ip_address")
);
CREATE TABLE "products" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "core_metered" BOOLEAN NOT NULL DEFAULT false,
    "workers" INTEGER NOT NULL DEFAULT 0,
    "provider" TEXT NOT NULL DEFAULT 'sandbox',
    "provider_sku" TEXT NOT NULL,
    "retired_at" TIMESTAMPTZ(3),
    CONSTRAINT "products_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "billing_cycles" (
    "id" SERIAL NOT NULL,
    "product_id" INTEGER,
    "bundle_id" INTEGER,
    "name" TEXT NOT NULL,
    "months" INTEGER NOT NULL,
    "provider_cycle" TEXT,
    "cost_currency" CHAR(3),
    "cost_price" BIGINT,
    "cost_setup_fee" BIGINT,
    "cost_per_core" BIGINT,
    "retired_at" TIMESTAMPTZ(3),
    CONSTRAINT "billing_cycles_pkey" PRIMARY KEY ("id")
);
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
CREATE TABLE "bundles" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "retired_at" TIMESTAMPTZ(3),
    CONSTRAINT "bundles_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "bundle_members" (
    "bundle_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    CONSTRAINT "bundle_members_pkey" PRIMARY KEY ("bundle_id","product_id")
);
CREATE TABLE "paid_terms" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "license_id" INTEGER NOT NULL,
    "months" INTEGER NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "paid_terms_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "core_lots" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "license_id" INTEGER NOT NULL,
    "paid_term_id" INTEGER NOT NULL,
    "operation_id" UUID,
    "cores" INTEGER NOT NULL,
    "removed_cores" INTEGER NOT NULL DEFAULT 0,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "amount" BIGINT NOT NULL,
    "cost" BIGINT,
    CONSTRAINT "core_lots_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "core_credits" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "lot_id" INTEGER NOT NULL,
    "operation_id" UUID,
    "cores" INTEGER NOT NULL,
    "credited_from" TIMESTAMPTZ(3) NOT NULL,
    "amount" BIGINT NOT NULL,
    CONSTRAINT "core_credits_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "deployment" (
    "single" BOOLEAN NOT NULL DEFAULT true,
    "deployment_id" UUID NOT NULL,
    "place" TEXT NOT NULL,
    "pepper_fingerprint" TEXT NOT NULL,
    "auth_fingerprint" TEXT NOT NULL,
    "encryption_fingerprint" TEXT NOT NULL,
    "resumed_at" TIMESTAMPTZ(3) NOT NULL,
    "timeline" INTEGER NOT NULL,
    CONSTRAINT "deployment_pkey" PRIMARY KEY ("single")
);
CREATE TABLE "diagnostics_reports" (
    "id" BIGSERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "license_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "os" TEXT NOT NULL,
    "kernel" TEXT NOT NULL,
    "cpu_cores" INTEGER NOT NULL,
    "memory" TEXT NOT NULL,
    "disk_free" TEXT NOT NULL,
    "uptime" TEXT NOT NULL,
    "source_address" TEXT NOT NULL,
    "address_matches" BOOLEAN NOT NULL,
    "clock_offset_s" INTEGER,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "diagnostics_reports_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "servers" (
    "id" BIGSERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "hostname" TEXT NOT NULL,
    "report_id" BIGINT NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,
    "severity" INTEGER NOT NULL,
    "problems" TEXT[],
    "problems_since" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "servers_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "email_changes" (
    "user_id" INTEGER NOT NULL,
    "new_email" TEXT NOT NULL,
    "new_password_hash" TEXT NOT NULL,
    "password_mark" BYTEA NOT NULL,
    "old_token_hash" BYTEA NOT NULL,
    "new_token_hash" BYTEA NOT NULL,
    "old_confirmed_at" TIMESTAMPTZ(3),
    "new_confirmed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "email_changes_pkey" PRIMARY KEY ("user_id")
);
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "license_id" INTEGER,
    "bundle_instance_id" INTEGER,
    "operation_id" UUID,
    "once_key" TEXT,
    "test_endpoint_id" INTEGER,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "notice_progress" (
    "notice" TEXT NOT NULL,
    "emitted_until" TIMESTAMPTZ(3) NOT NULL,
    "emitted_license_id" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "notice_progress_pkey" PRIMARY KEY ("notice")
);
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
    "customer_name" TEXT NOT NULL DEFAULT '',
    "customer_email" TEXT NOT NULL DEFAULT '',
    "customer_reference" TEXT NOT NULL DEFAULT '',
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "external_id" TEXT,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "anchored_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "provisioned_at" TIMESTAMPTZ(3),
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_by" "suspended_by",
    "suspension_reason" TEXT NOT NULL DEFAULT '',
    "terminated_at" TIMESTAMPTZ(3),
    "auto_renew" BOOLEAN NOT NULL DEFAULT false,
    "agreed_renewal_price" BIGINT,
    "announced_renewal_price" BIGINT,
    "renewal_price_announced_at" TIMESTAMPTZ(3),
    "provider_reference" TEXT,
    "open_operation_id" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "licenses_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "address_claims" (
    "id" BIGSERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "license_id" INTEGER NOT NULL,
    "product_id" INTEGER NOT NULL,
    "ip_address" TEXT NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_until" TIMESTAMPTZ(3) NOT NULL,
    "operation_id" UUID,
    "sandbox_id" INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT "address_claims_pkey" PRIMARY KEY ("id","reseller_id")
);
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
    "agreed_renewal_price" BIGINT,
    "announced_renewal_price" BIGINT,
    "renewal_price_announced_at" TIMESTAMPTZ(3),
    "open_operation_id" UUID,
    CONSTRAINT "bundle_instances_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "verifications" (
    "id" BIGSERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "license_id" INTEGER,
    "seen_ip" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id","checked_at")
) PARTITION BY RANGE ("checked_at");
CREATE TABLE "verifications_default" PARTITION OF "verifications" DEFAULT;
CREATE TABLE "mails" (
    "id" BIGSERIAL NOT NULL,
    "message_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "recipient" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "secret" BYTEA,
    "secret_until" TIMESTAMPTZ(3),
    "once_key" TEXT,
    "state" "mail_state" NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "send_until" TIMESTAMPTZ(3) NOT NULL,
    "error" TEXT,
    "owner_id" UUID,
    "lease_token" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "mail_opt_outs" (
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    CONSTRAINT "mail_opt_outs_pkey" PRIMARY KEY ("user_id","kind")
);
CREATE TABLE "access_links" (
    "token_hash" BYTEA NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "password_mark" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "access_links_pkey" PRIMARY KEY ("token_hash")
);
CREATE TABLE "notification_marks" (
    "user_id" INTEGER NOT NULL,
    "of_sandbox" BOOLEAN NOT NULL,
    "read_until" TIMESTAMPTZ(3) NOT NULL,
    "exceptions" JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT "notification_marks_pkey" PRIMARY KEY ("user_id","of_sandbox")
);
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
    "balance_after" BIGINT,
    "failure_message" TEXT,
    "actor" TEXT NOT NULL,
    "spending_key_id" INTEGER,
    "request_id" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "owner_id" UUID,
    "lease_token" UUID NOT NULL,
    "ask_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "reconciled_at" TIMESTAMPTZ(3),
    "plan" JSONB NOT NULL,
    CONSTRAINT "operations_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "passkeys" (
    "id" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "used_challenges" (
    "hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "used_challenges_pkey" PRIMARY KEY ("hash")
);
CREATE TABLE "processes" (
    "id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "job_workers" TEXT[],
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "processes_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "job_runs" (
    "name" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "process_id" UUID,
    "running_since" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "error" TEXT,
    CONSTRAINT "job_runs_pkey" PRIMARY KEY ("name")
);
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
CREATE TABLE "provider_health" (
    "provider" TEXT NOT NULL,
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "last_failure" TEXT NOT NULL DEFAULT '',
    "last_latency_ms" INTEGER,
    CONSTRAINT "provider_health_pkey" PRIMARY KEY ("provider")
);
CREATE TABLE "reconciliation_cases" (
    "id" SERIAL NOT NULL,
    "kind" "reconciliation_case_kind" NOT NULL,
    "provider" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "reseller_id" INTEGER,
    "license_id" INTEGER,
    "operation_id" UUID,
    "facts" JSONB NOT NULL,
    "value" JSONB,
    "fingerprint" TEXT NOT NULL DEFAULT '',
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "resolution" TEXT,
    CONSTRAINT "reconciliation_cases_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "provider_comparisons" (
    "id" SERIAL NOT NULL,
    "provider" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "owner_id" UUID,
    "lease_token" UUID NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "held_count" INTEGER NOT NULL DEFAULT 0,
    "license_count" INTEGER NOT NULL DEFAULT 0,
    "difference_count" INTEGER NOT NULL DEFAULT 0,
    "failure_message" TEXT,
    CONSTRAINT "provider_comparisons_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "compared_book_entries" (
    "comparison_id" INTEGER NOT NULL,
    "reference" TEXT NOT NULL,
    "provider_reference" TEXT,
    "product" TEXT,
    "ip_address" TEXT,
    "cores" INTEGER,
    "cores_known" BOOLEAN NOT NULL,
    "state" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "expires_on" DATE,
    "unread" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "compared_book_entries_pkey" PRIMARY KEY ("comparison_id","reference")
);
CREATE TABLE "discarded_registrations" (
    "license_key" TEXT NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "operation_id" UUID NOT NULL,
    "license" JSONB NOT NULL,
    "bundle_instance" JSONB,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "discarded_registrations_pkey" PRIMARY KEY ("license_key","reseller_id")
);
CREATE TABLE "resellers" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "suspension_reason" TEXT NOT NULL DEFAULT '',
    "notes" TEXT NOT NULL DEFAULT '',
    "expiring_soon_days" INTEGER[] DEFAULT ARRAY[14, 3]::INTEGER[],
    "renew_ahead_days" INTEGER NOT NULL DEFAULT 3,
    "price_notice_days" INTEGER NOT NULL DEFAULT 7,
    "max_increase_percent" INTEGER,
    "requires_second_factor" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sandbox_of" INTEGER,
    "sandbox_closed_at" TIMESTAMPTZ(3),
    CONSTRAINT "resellers_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "address_lookups" (
    "reseller_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,
    CONSTRAINT "address_lookups_pkey" PRIMARY KEY ("reseller_id")
);
CREATE TABLE "provider_lookups" (
    "reseller_id" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "count" INTEGER NOT NULL,
    "under_way" INTEGER NOT NULL,
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "provider_lookups_pkey" PRIMARY KEY ("reseller_id","provider")
);
CREATE TABLE "sandbox_provider_licenses" (
    "reference" TEXT NOT NULL,
    "product" TEXT NOT NULL,
    "ip_address" TEXT NOT NULL,
    "cores" INTEGER,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "provider" TEXT NOT NULL DEFAULT 'sandbox',
    CONSTRAINT "sandbox_provider_licenses_pkey" PRIMARY KEY ("reference")
);
CREATE TABLE "sandbox_provider_requests" (
    "idempotency_key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "accepted" BOOLEAN NOT NULL,
    "message" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "sandbox_provider_requests_pkey" PRIMARY KEY ("idempotency_key")
);
CREATE TABLE "rehearsals" (
    "reseller_id" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "remaining" INTEGER NOT NULL,
    CONSTRAINT "rehearsals_pkey" PRIMARY KEY ("reseller_id")
);
CREATE TABLE "saved_views" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "reseller_id" INTEGER,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "totp_factors" (
    "user_id" INTEGER NOT NULL,
    "secret" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT "totp_factors_pkey" PRIMARY KEY ("user_id")
);
CREATE TABLE "recovery_codes" (
    "user_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id","hash")
);
CREATE TABLE "pending_sign_ins" (
    "token_hash" BYTEA NOT NULL,
    "user_id" INTEGER NOT NULL,
    "issuer" TEXT,
    "subject" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "pending_sign_ins_pkey" PRIMARY KEY ("token_hash")
);
CREATE TABLE "top_up_requests" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "credited_amount" BIGINT,
    "reference" TEXT NOT NULL,
    "method" "payment_method" NOT NULL DEFAULT 'bank_transfer',
    "note" TEXT NOT NULL DEFAULT '',
    "state" "top_up_request_state" NOT NULL DEFAULT 'requested',
    "requested_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decision_note" TEXT NOT NULL DEFAULT '',
    CONSTRAINT "top_up_requests_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "payment_settings" (
    "currency" CHAR(3) NOT NULL,
    "confirm_above" BIGINT NOT NULL,
    "instructions" TEXT NOT NULL DEFAULT '',
    "issuer" TEXT NOT NULL DEFAULT '',
    CONSTRAINT "payment_settings_pkey" PRIMARY KEY ("currency")
);
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" "user_role" NOT NULL,
    "reseller_id" INTEGER,
    "disabled_at" TIMESTAMPTZ(3),
    "one_time_password_until" TIMESTAMPTZ(3),
    "demo_password" BOOLEAN NOT NULL DEFAULT false,
    "time_zone" TEXT,
    "format_locale" TEXT,
    "last_signed_in_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "user_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "user_identities_pkey" PRIMARY KEY ("issuer","subject")
);
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "idle_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "proven_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "address" TEXT NOT NULL DEFAULT '',
    "user_agent" TEXT NOT NULL DEFAULT '',
    "issuer" TEXT,
    "acting_as_reseller_id" INTEGER,
    "acting_until" TIMESTAMPTZ(3),
    "test_mode" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "sign_in_attempts" (
    "key" BYTEA NOT NULL,
    "count" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "sign_in_attempts_pkey" PRIMARY KEY ("key")
);
CREATE TABLE "wallets" (
    "reseller_id" INTEGER NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "minor_digits" INTEGER NOT NULL,
    "posted" BIGINT NOT NULL DEFAULT 0,
    "held" BIGINT NOT NULL DEFAULT 0,
    "suspended" BOOLEAN NOT NULL DEFAULT false,
    "low_balance_threshold" BIGINT,
    "low_balance_emitted_at" TIMESTAMPTZ(3),
    CONSTRAINT "wallets_pkey" PRIMARY KEY ("reseller_id")
);
CREATE TABLE "ledger_entries" (
    "id" BIGSERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "counter_account" "ledger_account" NOT NULL,
    "kind" "ledger_entry_kind" NOT NULL,
    "amount" BIGINT NOT NULL,
    "posted_after" BIGINT NOT NULL,
    "operation_id" UUID,
    "subject_label" TEXT,
    "reference" TEXT,
    "method" "payment_method",
    "note" TEXT NOT NULL DEFAULT '',
    "actor" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("id","reseller_id")
);
CREATE TABLE "ledger_checks" (
    "single" BOOLEAN NOT NULL DEFAULT true,
    "differences" INTEGER NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "ledger_checks_pkey" PRIMARY KEY ("single")
);
CREATE TABLE "revenue_months" (
    "reseller_id" INTEGER NOT NULL,
    "month" DATE NOT NULL,
    "product_id" INTEGER NOT NULL,
    "bundle_id" INTEGER NOT NULL,
    "revenue" BIGINT NOT NULL,
    "cost" BIGINT NOT NULL,
    "uncosted" BIGINT NOT NULL,
    CONSTRAINT "revenue_months_pkey" PRIMARY KEY ("reseller_id","month","product_id","bundle_id")
);
CREATE TABLE "webhook_endpoints" (
    "id" SERIAL NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "format" "webhook_format" NOT NULL DEFAULT 'standard',
    "url" TEXT NOT NULL,
    "chat_id" TEXT,
    "description" TEXT NOT NULL DEFAULT '',
    "kinds" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "secret" BYTEA NOT NULL,
    "seal_id" UUID NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "concurrency" INTEGER NOT NULL DEFAULT 4,
    "ordered" BOOLEAN NOT NULL DEFAULT false,
    "paused_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "pending_since" TIMESTAMPTZ(3),
    "challenge_event_id" UUID,
    "challenge_error" TEXT,
    "code_tries" INTEGER NOT NULL DEFAULT 0,
    "target" TEXT,
    "first_failed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "webhook_deliveries" (
    "id" BIGSERIAL NOT NULL,
    "event_id" UUID NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "reseller_id" INTEGER NOT NULL,
    "state" "webhook_delivery_state" NOT NULL DEFAULT 'pending',
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "resent" BOOLEAN NOT NULL DEFAULT false,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "target" TEXT,
    "owner_id" UUID,
    "lease_token" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "webhook_attempts" (
    "id" BIGSERIAL NOT NULL,
    "delivery_id" BIGINT NOT NULL,
    "endpoint_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "manual" BOOLEAN NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "succeeded" BOOLEAN,
    "duration_ms" INTEGER,
    "status" INTEGER,
    "request_headers" JSONB,
    "response_start" TEXT,
    "error" TEXT,
    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("id")
);
CREATE TABLE "webhook_targets" (
    "address" TEXT NOT NULL,
    "spent_until" TIMESTAMPTZ(6) NOT NULL,
    "challenged_until" TIMESTAMPTZ(6),
    CONSTRAINT "webhook_targets_pkey" PRIMARY KEY ("address")
);
CREATE UNIQUE INDEX "api_keys_secret_hash_key" ON "api_keys"("secret_hash");
CREATE UNIQUE INDEX "api_keys_successor_id_key" ON "api_keys"("successor_id");
CREATE INDEX "api_keys_reseller_id_idx" ON "api_keys"("reseller_id");
CREATE INDEX "api_keys_license_id_idx" ON "api_keys"("license_id");
CREATE INDEX "used_signatures_used_at_idx" ON "used_signatures"("used_at");
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");
CREATE INDEX "admin_idempotency_records_created_at_idx" ON "admin_idempotency_records"("created_at");
CREATE INDEX "api_requests_api_key_id_started_at_id_idx" ON "api_requests"("api_key_id", "started_at", "id");
CREATE INDEX "api_requests_api_key_id_operation_started_at_id_idx" ON "api_requests"("api_key_id", "operation", "started_at", "id");
CREATE INDEX "audit_entries_reseller_id_id_idx" ON "audit_entries"("reseller_id", "id");
CREATE INDEX "audit_entries_subject_id_idx" ON "audit_entries"("subject", "id");
CREATE INDEX "audit_entries_actor_id_idx" ON "audit_entries"("actor", "id");
CREATE INDEX "audit_entries_action_id_idx" ON "audit_entries"("action", "id");
CREATE INDEX "audit_entries_created_at_id_idx" ON "audit_entries"("created_at", "id");
CREATE UNIQUE INDEX "audit_links_entry_id_key" ON "audit_links"("entry_id");
CREATE INDEX "backups_started_at_idx" ON "backups"("started_at");
CREATE INDEX "bulk_jobs_reseller_id_id_idx" ON "bulk_jobs"("reseller_id", "id");
CREATE INDEX "bulk_jobs_finished_at_idx" ON "bulk_jobs"("finished_at");
CREATE UNIQUE INDEX "bulk_jobs_reseller_id_idempotency_key_key" ON "bulk_jobs"("reseller_id", "idempotency_key");
CREATE INDEX "bulk_job_items_job_id_state_position_idx" ON "bulk_job_items"("job_id", "state", "position");
CREATE UNIQUE INDEX "bulk_job_items_job_id_position_reseller_id_key" ON "bulk_job_items"("job_id", "position", "reseller_id");
CREATE INDEX "relocation_addresses_job_id_idx" ON "relocation_addresses"("job_id");
CREATE UNIQUE INDEX "products_slug_key" ON "products"("slug");
CREATE UNIQUE INDEX "products_provider_provider_sku_key" ON "products"("provider", "provider_sku");
CREATE UNIQUE INDEX "billing_cycles_product_id_months_key" ON "billing_cycles"("product_id", "months");
CREATE UNIQUE INDEX "billing_cycles_bundle_id_months_key" ON "billing_cycles"("bundle_id", "months");
CREATE INDEX "prices_reseller_id_idx" ON "prices"("reseller_id");
CREATE INDEX "bundle_members_product_id_idx" ON "bundle_members"("product_id");
CREATE UNIQUE INDEX "bundle_members_bundle_id_position_key" ON "bundle_members"("bundle_id", "position");
CREATE INDEX "paid_terms_license_id_id_idx" ON "paid_terms"("license_id", "id");
CREATE INDEX "core_lots_license_id_idx" ON "core_lots"("license_id");
CREATE INDEX "core_lots_operation_id_idx" ON "core_lots"("operation_id");
CREATE INDEX "core_credits_lot_id_idx" ON "core_credits"("lot_id");
CREATE INDEX "core_credits_operation_id_idx" ON "core_credits"("operation_id");
CREATE INDEX "diagnostics_reports_license_id_id_idx" ON "diagnostics_reports"("license_id", "id");
CREATE INDEX "diagnostics_reports_reseller_id_hostname_address_matches_id_idx" ON "diagnostics_reports"("reseller_id", "hostname", "address_matches", "id");
CREATE INDEX "diagnostics_reports_reseller_id_address_address_matches_rep_idx" ON "diagnostics_reports"("reseller_id", "address", "address_matches", "reported_at");
CREATE INDEX "servers_reseller_id_severity_address_idx" ON "servers"("reseller_id", "severity", "address");
CREATE INDEX "servers_reseller_id_reported_at_idx" ON "servers"("reseller_id", "reported_at");
CREATE UNIQUE INDEX "servers_report_id_reseller_id_key" ON "servers"("report_id", "reseller_id");
CREATE UNIQUE INDEX "servers_reseller_id_address_key" ON "servers"("reseller_id", "address");
CREATE UNIQUE INDEX "email_changes_old_token_hash_key" ON "email_changes"("old_token_hash");
CREATE UNIQUE INDEX "email_changes_new_token_hash_key" ON "email_changes"("new_token_hash");
CREATE INDEX "email_changes_expires_at_idx" ON "email_changes"("expires_at");
CREATE INDEX "events_reseller_id_occurred_at_idx" ON "events"("reseller_id", "occurred_at");
CREATE INDEX "events_license_id_occurred_at_idx" ON "events"("license_id", "occurred_at");
CREATE INDEX "events_occurred_at_idx" ON "events"("occurred_at");
CREATE INDEX "licenses_reseller_id_id_idx" ON "licenses"("reseller_id", "id");
CREATE INDEX "licenses_by_end_and_state" ON "licenses"("reseller_id", "expires_at", "id", "terminated_at", "suspended_at");
CREATE INDEX "licenses_expires_at_id_idx" ON "licenses"("expires_at", "id");
CREATE INDEX "licenses_reseller_id_product_id_id_idx" ON "licenses"("reseller_id", "product_id", "id");
CREATE INDEX "licenses_product_id_cycle_id_expires_at_terminated_at_resel_idx" ON "licenses"("product_id", "cycle_id", "expires_at", "terminated_at", "reseller_id");
CREATE UNIQUE INDEX "licenses_key_reseller_id_key" ON "licenses"("key", "reseller_id");
CREATE INDEX "address_claims_license_id_idx" ON "address_claims"("license_id");
CREATE INDEX "bundle_instances_reseller_id_id_idx" ON "bundle_instances"("reseller_id", "id");
CREATE INDEX "bundle_instances_by_bundle" ON "bundle_instances"("reseller_id", "bundle_id");
CREATE INDEX "bundle_instances_expires_at_idx" ON "bundle_instances"("expires_at");
CREATE INDEX "bundle_instances_bundle_id_cycle_id_expires_at_terminated_a_idx" ON "bundle_instances"("bundle_id", "cycle_id", "expires_at", "terminated_at", "reseller_id");
CREATE INDEX "bundle_instances_open_operation_id_idx" ON "bundle_instances"("open_operation_id");
CREATE INDEX "verifications_license_id_checked_at_id_code_idx" ON "verifications"("license_id", "checked_at", "id", "code");
CREATE UNIQUE INDEX "mails_message_id_key" ON "mails"("message_id");
CREATE UNIQUE INDEX "mails_once_key_key" ON "mails"("once_key");
CREATE INDEX "mails_user_id_idx" ON "mails"("user_id");
CREATE INDEX "mails_created_at_idx" ON "mails"("created_at");
CREATE INDEX "access_links_user_id_idx" ON "access_links"("user_id");
CREATE INDEX "access_links_expires_at_idx" ON "access_links"("expires_at");
CREATE INDEX "operations_reseller_id_created_at_idx" ON "operations"("reseller_id", "created_at");
CREATE INDEX "operations_license_id_created_at_idx" ON "operations"("license_id", "created_at");
CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");
CREATE INDEX "used_challenges_expires_at_idx" ON "used_challenges"("expires_at");
CREATE INDEX "reconciliation_cases_resolved_at_last_seen_at_idx" ON "reconciliation_cases"("resolved_at", "last_seen_at");
CREATE INDEX "reconciliation_cases_provider_reference_idx" ON "reconciliation_cases"("provider", "reference");
CREATE INDEX "reconciliation_cases_operation_id_idx" ON "reconciliation_cases"("operation_id");
CREATE INDEX "provider_comparisons_provider_id_idx" ON "provider_comparisons"("provider", "id");
CREATE INDEX "discarded_registrations_operation_id_idx" ON "discarded_registrations"("operation_id");
CREATE INDEX "discarded_registrations_ends_at_idx" ON "discarded_registrations"("ends_at");
CREATE INDEX "provider_lookups_provider_day_idx" ON "provider_lookups"("provider", "day");
CREATE INDEX "sandbox_provider_licenses_ip_address_idx" ON "sandbox_provider_licenses"("ip_address");
CREATE INDEX "sandbox_provider_requests_reference_idx" ON "sandbox_provider_requests"("reference");
CREATE INDEX "saved_views_reseller_id_list_idx" ON "saved_views"("reseller_id", "list");
CREATE INDEX "pending_sign_ins_user_id_idx" ON "pending_sign_ins"("user_id");
CREATE INDEX "pending_sign_ins_expires_at_idx" ON "pending_sign_ins"("expires_at");
CREATE INDEX "top_up_requests_state_id_idx" ON "top_up_requests"("state", "id");
CREATE INDEX "users_reseller_id_idx" ON "users"("reseller_id");
CREATE UNIQUE INDEX "users_email_password_hash_key" ON "users"("email", "password_hash");
CREATE UNIQUE INDEX "user_identities_user_id_issuer_key" ON "user_identities"("user_id", "issuer");
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");
CREATE INDEX "sessions_acting_as_reseller_id_idx" ON "sessions"("acting_as_reseller_id");
CREATE INDEX "sign_in_attempts_last_at_idx" ON "sign_in_attempts"("last_at");
CREATE INDEX "ledger_entries_reseller_id_id_idx" ON "ledger_entries"("reseller_id", "id");
CREATE INDEX "ledger_entries_reseller_id_kind_id_idx" ON "ledger_entries"("reseller_id", "kind", "id");
CREATE INDEX "ledger_entries_reseller_id_created_at_idx" ON "ledger_entries"("reseller_id", "created_at");
CREATE INDEX "ledger_entries_operation_id_idx" ON "ledger_entries"("operation_id");
CREATE INDEX "revenue_months_month_idx" ON "revenue_months"("month");
CREATE INDEX "webhook_endpoints_reseller_id_id_idx" ON "webhook_endpoints"("reseller_id", "id");
CREATE INDEX "webhook_deliveries_reseller_id_id_idx" ON "webhook_deliveries"("reseller_id", "id");
CREATE INDEX "webhook_deliveries_endpoint_id_id_idx" ON "webhook_deliveries"("endpoint_id", "id");
CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_key" ON "webhook_deliveries"("event_id", "endpoint_id");
CREATE INDEX "webhook_attempts_endpoint_id_started_at_idx" ON "webhook_attempts"("endpoint_id", "started_at");
CREATE UNIQUE INDEX "webhook_attempts_delivery_id_number_key" ON "webhook_attempts"("delivery_id", "number");
CREATE INDEX "webhook_targets_spent_until_idx" ON "webhook_targets"("spent_until");
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_successor_id_fkey" FOREIGN KEY ("successor_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_license_id_reseller_id_fkey" FOREIGN KEY ("license_id", "reseller_id") REFERENCES "licenses"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "used_signatures" ADD CONSTRAINT "used_signatures_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "idempotency_records" ADD CONSTRAINT "idempotency_records_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "admin_idempotency_records" ADD CONSTRAINT "admin_idempotency_records_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bulk_job_items" ADD CONSTRAINT "bulk_job_items_job_id_reseller_id_fkey" FOREIGN KEY ("job_id", "reseller_id") REFERENCES "bulk_jobs"("id", "reseller_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "relocation_addresses" ADD CONSTRAINT "relocation_addresses_job_id_reseller_id_fkey" FOREIGN KEY ("job_id", "reseller_id") REFERENCES "bulk_jobs"("id", "reseller_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "products" ADD CONSTRAINT "products_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("name") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "billing_cycles" ADD CONSTRAINT "billing_cycles_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "billing_cycles" ADD CONSTRAINT "billing_cycles_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "prices" ADD CONSTRAINT "prices_cycle_id_fkey" FOREIGN KEY ("cycle_id") REFERENCES "billing_cycles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "prices" ADD CONSTRAINT "prices_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bundle_members" ADD CONSTRAINT "bundle_members_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bundle_members" ADD CONSTRAINT "bundle_members_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "paid_terms" ADD CONSTRAINT "paid_terms_license_id_reseller_id_fkey" FOREIGN KEY ("license_id", "reseller_id") REFERENCES "licenses"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "core_lots" ADD CONSTRAINT "core_lots_license_id_reseller_id_fkey" FOREIGN KEY ("license_id", "reseller_id") REFERENCES "licenses"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "core_lots" ADD CONSTRAINT "core_lots_paid_term_id_reseller_id_fkey" FOREIGN KEY ("paid_term_id", "reseller_id") REFERENCES "paid_terms"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "core_lots" ADD CONSTRAINT "core_lots_operation_id_reseller_id_fkey" FOREIGN KEY ("operation_id", "reseller_id") REFERENCES "operations"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "core_credits" ADD CONSTRAINT "core_credits_lot_id_reseller_id_fkey" FOREIGN KEY ("lot_id", "reseller_id") REFERENCES "core_lots"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "core_credits" ADD CONSTRAINT "core_credits_operation_id_reseller_id_fkey" FOREIGN KEY ("operation_id", "reseller_id") REFERENCES "operations"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "diagnostics_reports" ADD CONSTRAINT "diagnostics_reports_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "diagnostics_reports" ADD CONSTRAINT "diagnostics_reports_license_id_reseller_id_fkey" FOREIGN KEY ("license_id", "reseller_id") REFERENCES "licenses"("id", "reseller_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "servers" ADD CONSTRAINT "servers_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "servers" ADD CONSTRAINT "servers_report_id_reseller_id_fkey" FOREIGN KEY ("report_id", "reseller_id") REFERENCES "diagnostics_reports"("id", "reseller_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "events" ADD CONSTRAINT "events_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "events" ADD CONSTRAINT "events_operation_id_reseller_id_fkey" FOREIGN KEY ("operation_id", "reseller_id") REFERENCES "operations"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_cycle_id_fkey" FOREIGN KEY ("cycle_id") REFERENCES "billing_cycles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_bundle_instance_id_reseller_id_fkey" FOREIGN KEY ("bundle_instance_id", "reseller_id") REFERENCES "bundle_instances"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "licenses" ADD CONSTRAINT "licenses_open_operation_id_reseller_id_fkey" FOREIGN KEY ("open_operation_id", "reseller_id") REFERENCES "operations"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "address_claims" ADD CONSTRAINT "address_claims_license_id_reseller_id_fkey" FOREIGN KEY ("license_id", "reseller_id") REFERENCES "licenses"("id", "reseller_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "bundle_instances" ADD CONSTRAINT "bundle_instances_bundle_id_fkey" FOREIGN KEY ("bundle_id") REFERENCES "bundles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bundle_instances" ADD CONSTRAINT "bundle_instances_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bundle_instances" ADD CONSTRAINT "bundle_instances_cycle_id_fkey" FOREIGN KEY ("cycle_id") REFERENCES "billing_cycles"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bundle_instances" ADD CONSTRAINT "bundle_instances_open_operation_id_reseller_id_fkey" FOREIGN KEY ("open_operation_id", "reseller_id") REFERENCES "operations"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "mail_opt_outs" ADD CONSTRAINT "mail_opt_outs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "access_links" ADD CONSTRAINT "access_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "notification_marks" ADD CONSTRAINT "notification_marks_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "operations" ADD CONSTRAINT "operations_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "provider_health" ADD CONSTRAINT "provider_health_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("name") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reconciliation_cases" ADD CONSTRAINT "reconciliation_cases_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("name") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "provider_comparisons" ADD CONSTRAINT "provider_comparisons_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("name") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "compared_book_entries" ADD CONSTRAINT "compared_book_entries_comparison_id_fkey" FOREIGN KEY ("comparison_id") REFERENCES "provider_comparisons"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "resellers" ADD CONSTRAINT "resellers_sandbox_of_fkey" FOREIGN KEY ("sandbox_of") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "address_lookups" ADD CONSTRAINT "address_lookups_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "provider_lookups" ADD CONSTRAINT "provider_lookups_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "provider_lookups" ADD CONSTRAINT "provider_lookups_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("name") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "rehearsals" ADD CONSTRAINT "rehearsals_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "totp_factors" ADD CONSTRAINT "totp_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "pending_sign_ins" ADD CONSTRAINT "pending_sign_ins_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "top_up_requests" ADD CONSTRAINT "top_up_requests_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "users" ADD CONSTRAINT "users_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "user_identities" ADD CONSTRAINT "user_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_acting_as_reseller_id_fkey" FOREIGN KEY ("acting_as_reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "wallets"("reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_operation_id_reseller_id_fkey" FOREIGN KEY ("operation_id", "reseller_id") REFERENCES "operations"("id", "reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "revenue_months" ADD CONSTRAINT "revenue_months_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "wallets"("reseller_id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_reseller_id_fkey" FOREIGN KEY ("reseller_id") REFERENCES "resellers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;
set local check_function_bodies = off;
create or replace function add_core_lots(p_settled jsonb) returns void language plpgsql as $$
declare
  op record;
  charged bigint;
begin
  for op in
    select s.id, s.reseller_id, s.kind, s.charged as price, o.currency,
           s.kind = 'license_change_core' or (select p.cost is not null from provider_cost(o) p) as costed, s.effects -> 'coreLots' as lots
      from jsonb_to_recordset(p_settled) as s (place int, id uuid, reseller_id int, kind text, charged bigint, effects jsonb)
      join operations o on o.id = s.id and o.reseller_id is not distinct from s.reseller_id
     where s.effects ? 'coreLots' order by s.place
  loop
    insert into core_lots (license_id, reseller_id, paid_term_id, operation_id, cores, starts_at, ends_at, amount, cost)
    select l.id, op.reseller_id, t.id, op.id, (lot.value ->> 'cores')::int, time.starts_at, time.ends_at, (lot.value ->> 'amount')::bigint,
           round((lot.value ->> 'cores')::int * coalesce(c.cost_per_core, case when op.kind <> 'license_change_core' and c.id is not null then 0 end)
                 * extract(epoch from time.ends_at - time.starts_at)
                 / extract(epoch from greatest(t.ends_at, (t.starts_at at time zone 'UTC' + make_interval(months => t.months)) at time zone 'UTC')
                                      - t.starts_at))
      from jsonb_array_elements(op.lots) with ordinality lot
     cross join lateral (select l.id, l.product_id from licenses l where l.key = lot.value ->> 'key' and l.reseller_id is not distinct from op.reseller_id limit 1) l
     cross join lateral (select coalesce((lot.value ->> 'paidTermId')::int,
                                         (select t.id from paid_terms t where t.license_id = l.id and t.reseller_id is not distinct from op.reseller_id
                                           order by t.id desc limit 1)) as id) paid
      join paid_terms t on t.license_id = l.id and t.reseller_id is not distinct from op.reseller_id and t.id = paid.id
     cross join lateral (select coalesce((lot.value ->> 'startsAt')::timestamptz, t.starts_at) as starts_at,
                                coalesce((lot.value ->> 'endsAt')::timestamptz, t.ends_at) as ends_at) time
      left join billing_cycles c on op.costed and c.product_id = l.product_id and c.months = t.months and c.cost_currency = op.currency
     where time.starts_at < time.ends_at or (lot.value ->> 'amount')::bigint > 0
     order by lot.ordinality;
    select coalesce(sum(amount), 0) into charged from core_lots where operation_id = op.id and reseller_id is not distinct from op.reseller_id;
    if charged > op.price or (op.kind = 'license_change_core' and charged <> op.price) then
      raise exception 'the lots of operation % do not add up to its price', op.id;
    end if;
    perform balance_core_lots(l.license_id)
       from (select distinct lot.license_id from core_lots lot where lot.operation_id = op.id and lot.reseller_id is not distinct from op.reseller_id) l;
  end loop;
end $$;
create or replace function add_cost_of_gift() returns trigger language plpgsql as $$
begin
  insert into revenue_months (reseller_id, month, product_id, bundle_id, revenue, cost, uncosted)
  select new.reseller_id, date_trunc('month', new.settled_at at time zone 'UTC')::date, coalesce(l.product_id, 0),
         case when l.product_id is null then coalesce(i.bundle_id, 0) else 0 end, 0, p.cost, 0
    from provider_cost(new) p
    left join licenses l on l.id = new.license_id and l.reseller_id is not distinct from new.reseller_id
    left join bundle_instances i on i.id = new.bundle_instance_id and i.reseller_id is not distinct from new.reseller_id
   where p.cost <> 0
  on conflict (reseller_id, month, product_id, bundle_id) do update set cost = revenue_months.cost + excluded.cost;
  return null;
end $$;
create or replace function add_revenue() returns trigger language plpgsql as $$
begin
  insert into revenue_months (reseller_id, month, product_id, bundle_id, revenue, cost, uncosted)
  select n.reseller_id, date_trunc('month', n.created_at at time zone 'UTC')::date, coalesce(l.product_id, 0),
         case when l.product_id is null then coalesce(i.bundle_id, 0) else 0 end,
         -sum(n.amount), sum(coalesce(p.cost, 0)),
         sum(case when n.kind <> 'refund' and n.reference is null then coalesce(p.uncosted, -n.amount) else 0 end)
    from new_entries n
    left join operations o on o.id = n.operation_id and o.reseller_id = n.reseller_id
    left join licenses l on l.id = o.license_id and l.reseller_id is not distinct from o.reseller_id
    left join bundle_instances i on i.id = o.bundle_instance_id and i.reseller_id is not distinct from o.reseller_id
    left join lateral provider_cost(o) p on n.kind <> 'refund' and n.reference is null
   where n.counter_account in ('revenue', 'credits')
   group by 1, 2, 3, 4
   order by 1, 2, 3, 4
  on conflict (reseller_id, month, product_id, bundle_id) do update
    set revenue = revenue_months.revenue + excluded.revenue, cost = revenue_months.cost + excluded.cost,
        uncosted = revenue_months.uncosted + excluded.uncosted;
  return null;
end $$;
create or replace function adopt_late_success(p_case_id int, p_fingerprint text, p_actor text, p_reason text, p_now timestamptz, p_request_id text)
returns void language plpgsql as $$
declare
  closed reconciliation_cases;
  op operations;
  token uuid := gen_random_uuid();
  other reconciliation_cases;
  names jsonb;
  wanted int;
  found_count int;
begin
  -- Two admins may adopt one operation by different cases.
  perform from reconciliation_cases c
    where c.operation_id = (select a.operation_id from reconciliation_cases a where a.id = p_case_id)
      and c.kind = 'late_success' and c.resolved_at is null
    order by c.id for no key update;
  closed := close_case(p_case_id, p_fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now, p_request_id);
  -- First, as in `lock_holds`: `set_spending_limit` does not count rejected operations.
  perform from operations o join api_keys k on k.id = substring(o.actor from '^key:([0-9]+)$')::int
    where o.id = closed.operation_id for key share of k;
  select * into op from operations where id = closed.operation_id and state = 'rejected' for update;
  if not found then raise exception 'the operation is no longer rejected' using errcode = 'LD004'; end if;

  for other in
    select * from reconciliation_cases c
     where c.operation_id = op.id and c.kind = 'late_success' and c.resolved_at is null order by c.id
  loop
    perform close_case(other.id, other.fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now, p_request_id);
  end loop;
  select count(distinct s #>> '{request,reference}') into wanted from jsonb_array_elements(op.plan -> 'steps') s;
  select count(distinct c.reference), jsonb_object_agg(c.reference, c.facts #> '{provider,name}')
    into found_count, names from reconciliation_cases c
   where c.operation_id = op.id and c.kind = 'late_success' and c.resolution = 'adopted' and c.resolved_at = p_now;
  if found_count < wanted then raise exception 'the provider holds only part of the operation' using errcode = 'LD005'; end if;

  insert into bundle_instances (id, bundle_id, reseller_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, auto_renew,
                                agreed_renewal_price, announced_renewal_price, renewal_price_announced_at)
  select distinct on (b.id) b.id, b.bundle_id, b.reseller_id, b.cycle_id, b.ip_address, b.issued_at, b.anchored_at, b.expires_at,
         b.auto_renew, b.agreed_renewal_price, b.announced_renewal_price, b.renewal_price_announced_at
    from discarded_registrations d, jsonb_populate_record(null::bundle_instances, d.bundle_instance) b
   where d.operation_id = op.id and d.bundle_instance is not null;
  insert into licenses (id, key, reseller_id, product_id, cycle_id, bundle_instance_id, ip_address, hostname, cores, notes,
                        customer_name, customer_email, customer_reference, tags, external_id, issued_at, anchored_at, expires_at,
                        auto_renew, agreed_renewal_price, announced_renewal_price, renewal_price_announced_at, open_operation_id,
                        updated_at)
  select l.id, l.key, l.reseller_id, l.product_id, l.cycle_id, l.bundle_instance_id, l.ip_address, l.hostname, l.cores, l.notes,
         l.customer_name, l.customer_email, l.customer_reference, l.tags, free_external_id(l), l.issued_at, l.anchored_at,
         l.expires_at, l.auto_renew, l.agreed_renewal_price, l.announced_renewal_price, l.renewal_price_announced_at, op.id, p_now
    from discarded_registrations d, jsonb_populate_record(null::licenses, d.license) l
   where d.operation_id = op.id order by l.product_id;
  delete from discarded_registrations where operation_id = op.id;

  if op.kind not in ('license_register', 'bundle_register') then
    -- In the order of `lock_holds`. A bundle's operation names all of its members: they are open and end with it.
    perform from bundle_instances b
      where b.id = coalesce(op.bundle_instance_id, (select l.bundle_instance_id from licenses l where l.id = op.license_id))
        for no key update;
    perform from licenses l where l.key in (select e ->> 'key' from jsonb_array_elements(op.plan #> '{onSuccess,licenses}') e)
      order by l.id for no key update;
    update licenses l set open_operation_id = op.id
      from jsonb_array_elements(op.plan #> '{onSuccess,licenses}') effect
     where l.key = effect ->> 'key' and l.open_operation_id is null and l.terminated_at is null and l.updated_at <= closed.last_seen_at;
    get diagnostics found_count = row_count;
    if found_count < jsonb_array_length(op.plan #> '{onSuccess,licenses}') then
      raise exception 'the license has changed' using errcode = 'LD001';
    end if;
  end if;

  perform from licenses l
     join products p on p.id = l.product_id
     left join jsonb_array_elements(op.plan -> 'steps') s on s #>> '{request,reference}' = l.key
    where l.id = any (licenses_of_operations(jsonb_build_array(to_jsonb(op)))) and l.open_operation_id = op.id
      and (p.provider <> closed.provider or p.provider_sku <> s #>> '{request,product}');
  if found then raise exception 'the product has moved' using errcode = 'LD001'; end if;

  update operations o set
      state = 'unknown', settled_at = null, lease_token = token,
      spending_key_id = coalesce(o.spending_key_id,
                                 (select coalesce(k.first_id, k.id) from api_keys k
                                   where k.id = substring(o.actor from '^key:([0-9]+)$')::int and k.spending_limit is not null))
    where o.id = op.id;
  loop
    update wallets w set held = w.held + op.hold_amount
     where w.reseller_id = op.reseller_id and w.posted - w.held >= op.hold_amount;
    exit when found;
    perform refuse_short_wallet(op.reseller_id, op.hold_amount, op.currency);
  end loop;
  -- The rejection voided its credits, so other operations may have used those lots since.
  if op.plan ? 'coreCredits' then perform require_core_credits(op); end if;
  perform settle_operations(jsonb_build_array(jsonb_build_object(
    'place', 0, 'id', op.id, 'resellerId', op.reseller_id, 'token', token, 'succeeded', true, 'references', jsonb_strip_nulls(names),
    'reconciled', true, 'now', p_now)));
  perform emit_past_expiry(l.id, p_now) from licenses l
    where l.key in (select e ->> 'key' from jsonb_array_elements(op.plan #> '{onSuccess,licenses}') e);
end $$;
create or replace function adopt_provider_facts(
  p_case_id int, p_fingerprint text, p_term jsonb, p_siblings jsonb, p_refund_until timestamptz, p_refund bigint,
  p_tolerance interval, p_price_cap bigint, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  resolution text := case when p_refund_until is null then 'adopted' else 'refunded' end;
  action text := case when p_refund_until is null then 'adopt' else 'refund' end;
  -- Before the first one is closed: two admins may take over one bundle by the cases of different members.
  locked int[] := array(select c.id from reconciliation_cases c
                         where c.id = p_case_id or c.id in (select (s ->> 'id')::int from jsonb_array_elements(p_siblings) s)
                         order by c.id for no key update);
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, resolution, action, p_actor, p_reason, p_now, p_request_id);
  theirs jsonb := closed.facts -> 'provider';
  differing jsonb := closed.facts -> 'differing';
  ends_at timestamptz := (p_term ->> 'expiresAt')::timestamptz;
  ours licenses;
  member licenses;
  sibling jsonb;
  owed jsonb := case when p_refund_until is not null then
    (select jsonb_agg(jsonb_build_object('operation_id', u.operation_id, 'amount', u.amount))
       from unprovided_charges(closed.license_id, p_refund_until, p_tolerance) u) end;
  part record;
  refunded bigint := 0;
  suspends boolean := theirs ->> 'state' = 'suspended';
  takes_cores boolean := differing ? 'cores' and p_refund_until is null;
begin
  for sibling in select value from jsonb_array_elements(p_siblings) loop
    perform close_case((sibling ->> 'id')::int, sibling ->> 'fingerprint', resolution, action, p_actor, p_reason, p_now, p_request_id);
  end loop;
  perform lock_unit(closed.license_id);
  for member in
    select l.* from licenses l
     where l.id = closed.license_id or p_term is not null and l.id in (select id from licenses_of_unit(closed.license_id))
     order by l.id
  loop
    if member.open_operation_id is not null or member.updated_at > closed.last_seen_at then
      raise exception 'license % has changed', member.id using errcode = 'LD001';
    end if;
    if member.id = closed.license_id then ours := member; end if;
    continue when p_term is null or member.terminated_at is not null;
    -- A term that the provider has not renewed can be renewed automatically once more.
    if ends_at < member.expires_at then
      with renewals as materialized (
        select o.id from operations o
         where o.reseller_id = member.reseller_id and o.state = 'succeeded' and o.plan #>> '{facts,renewsTerm}' is not null
           and (o.license_id = member.id or o.bundle_instance_id = member.bundle_instance_id)
           and substring(o.plan #>> '{facts,renewsTerm}' from '^[a-z]+:[0-9]+:(.*)$')::timestamptz >= ends_at - p_tolerance
         order by o.id for no key update
      )
      update operations o set plan = o.plan #- '{facts,renewsTerm}' from renewals r where o.id = r.id and o.reseller_id = member.reseller_id;
    end if;
    update licenses set anchored_at = (p_term ->> 'anchoredAt')::timestamptz, expires_at = ends_at, updated_at = p_now
     where id = member.id;
    update bundle_instances set anchored_at = (p_term ->> 'anchoredAt')::timestamptz, expires_at = ends_at
     where id = member.bundle_instance_id and expires_at <> ends_at;
    perform emit_license_event(member.id, case when ends_at > member.expires_at then 'license.renewed' else 'license.updated' end,
      jsonb_build_object('expires_at', to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), null, p_now);
    perform emit_past_expiry(member.id, p_now);
  end loop;
  if ours.id is null or ours.terminated_at is not null then
    raise exception 'the license has changed' using errcode = 'LD001';
  end if;
  if differing ? 'address' and ours.bundle_instance_id is not null then
    raise exception 'a bundle changes its address as a whole' using errcode = 'LD006';
  end if;
  if ours.bundle_instance_id is not null and ends_at > ours.expires_at then
    insert into events (id, reseller_id, kind, data, bundle_instance_id, occurred_at)
    values (gen_random_uuid(), ours.reseller_id, 'bundle.renewed',
            jsonb_build_object('bundle_instance_id', ours.bundle_instance_id,
                               'expires_at', to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
            ours.bundle_instance_id, p_now);
  end if;
  update licenses l set
      ip_address = case when differing ? 'address' then theirs ->> 'address' else l.ip_address end,
      cores = case when takes_cores then (theirs ->> 'cores')::int else l.cores end,
      agreed_renewal_price = case when l.agreed_renewal_price is not null then least(l.agreed_renewal_price, p_price_cap) end,
      announced_renewal_price = case when l.announced_renewal_price is not null then least(l.announced_renewal_price, p_price_cap) end,
      suspended_at = case when not differing ? 'state' then l.suspended_at when suspends then p_now end,
      suspended_by = case when not differing ? 'state' then l.suspended_by when suspends then 'admin'::suspended_by end,
      suspension_reason = case when not differing ? 'state' then l.suspension_reason when suspends then p_reason else '' end,
      updated_at = p_now
   where l.id = ours.id;
  update bundle_instances b set
      agreed_renewal_price = case when b.agreed_renewal_price is not null then least(b.agreed_renewal_price, p_price_cap) end,
      announced_renewal_price = case when b.announced_renewal_price is not null then least(b.announced_renewal_price, p_price_cap) end
   where b.id = ours.bundle_instance_id and p_price_cap is not null;
  if differing ? 'address' then
    perform emit_license_event(ours.id, 'license.ip_changed',
      jsonb_build_object('old_ip', ours.ip_address, 'new_ip', theirs ->> 'address'), null, p_now);
  end if;
  if takes_cores then
    perform emit_license_event(ours.id, 'license.cores_changed',
      jsonb_build_object('old_cores', ours.cores, 'new_cores', theirs -> 'cores'), null, p_now);
  end if;
  if differing ? 'state' then
    perform emit_license_event(ours.id, case when suspends then 'license.suspended' else 'license.unsuspended' end,
      case when suspends then jsonb_build_object('reason', p_reason) end, null, p_now);
  end if;
  if p_refund_until is null then return; end if;
  -- Blocks concurrent refunds of the same charges while they are added up.
  perform from wallets w where w.reseller_id = closed.reseller_id for update;
  for part in select * from jsonb_to_recordset(owed) as (operation_id uuid, amount bigint) loop
    part.amount := least(part.amount, charge_left(part.operation_id, closed.reseller_id));
    continue when part.amount <= 0;
    perform refund_operation(part.operation_id, part.amount, 'case:' || closed.id || ':' || part.operation_id, p_reason, p_actor,
                             null, p_now);
    refunded := refunded + part.amount;
  end loop;
  if refunded <> p_refund then raise exception 'the amount has changed' using errcode = 'LD008'; end if;
end $$;
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
create or replace function agreed_price(p_before bigint, p_after bigint, p_is_limited boolean, p_changes_cycle boolean)
returns bigint language sql immutable as $$
  select case when p_is_limited is not true then p_after
              when (p_after <= p_before) is not true then p_before
              when p_changes_cycle then null
              else p_after end
$$;
create or replace function apply_effects(p_settled jsonb) returns void language plpgsql as $$
begin
  -- Before the licenses, whose paid terms take their months from this cycle.
  if p_settled @? '$[*].effects.bundleInstance' then
    update bundle_instances b set
        provisioned_at = case when s.effect ? 'provisioned' then s.now else b.provisioned_at end,
        cycle_id = coalesce((s.effect ->> 'cycleId')::int, b.cycle_id),
        anchored_at = coalesce((s.effect ->> 'anchoredAt')::timestamptz, b.anchored_at),
        expires_at = coalesce((s.effect ->> 'expiresAt')::timestamptz, b.expires_at),
        ip_address = coalesce(s.effect ->> 'ipAddress', b.ip_address),
        agreed_renewal_price = case when s.effect ? 'renewalPrice'
                                    then agreed_price(b.agreed_renewal_price, (s.effect ->> 'renewalPrice')::bigint, s.limited and b.auto_renew,
                                                      (s.effect ->> 'cycleId')::int <> b.cycle_id)
                                    else b.agreed_renewal_price end,
        announced_renewal_price = case when s.effect ? 'renewalPrice' then null else b.announced_renewal_price end,
        renewal_price_announced_at = case when s.effect ? 'renewalPrice' then null else b.renewal_price_announced_at end
      from (select s.bundle_instance_id, s.reseller_id, s.now, s.limited, s.effects -> 'bundleInstance' as effect
              from jsonb_to_recordset(p_settled) as s (bundle_instance_id int, reseller_id int, now timestamptz, limited boolean, effects jsonb)
             where s.effects ? 'bundleInstance') s
     where b.id = s.bundle_instance_id and b.reseller_id is not distinct from s.reseller_id;
  end if;

  update licenses l set
      provisioned_at = case when s.effect ? 'provisioned' then s.now else l.provisioned_at end,
      cycle_id = case when s.effect ? 'cycleId' then (s.effect ->> 'cycleId')::int else l.cycle_id end,
      anchored_at = coalesce((s.effect ->> 'anchoredAt')::timestamptz, l.anchored_at),
      expires_at = coalesce((s.effect ->> 'expiresAt')::timestamptz, l.expires_at),
      ip_address = coalesce(s.effect ->> 'ipAddress', l.ip_address),
      hostname = coalesce(s.effect ->> 'hostname', l.hostname),
      cores = coalesce((s.effect ->> 'cores')::int, l.cores),
      suspended_at = case when s.effect ? 'suspension' then (case when s.effect #>> '{suspension,by}' is not null then s.now end) else l.suspended_at end,
      suspended_by = case when s.effect ? 'suspension' then (s.effect #>> '{suspension,by}')::suspended_by else l.suspended_by end,
      suspension_reason = case when s.effect ? 'suspension' then coalesce(s.effect #>> '{suspension,reason}', '') else l.suspension_reason end,
      terminated_at = case when s.effect ? 'terminated' then s.now else l.terminated_at end,
      -- What removed cores had cost is not known, so it is not subtracted: today's price without them is the most that is
      -- agreed to and announced.
      agreed_renewal_price = case when s.effect ? 'renewalPrice'
                                  then agreed_price(l.agreed_renewal_price, (s.effect ->> 'renewalPrice')::bigint, s.limited and l.auto_renew,
                                                    (s.effect ->> 'cycleId')::int <> l.cycle_id)
                                  when l.agreed_renewal_price is null then null
                                  when s.effect ? 'renewalPriceCap' then least(l.agreed_renewal_price, (s.effect ->> 'renewalPriceCap')::bigint)
                                  else agreed_price(l.agreed_renewal_price,
                                                    greatest(0, l.agreed_renewal_price + coalesce((s.effect ->> 'renewalPriceChange')::bigint, 0)),
                                                    s.limited and l.auto_renew, false) end,
      announced_renewal_price = case when s.effect ? 'renewalPrice' or l.announced_renewal_price is null then null
                                     when s.effect ? 'renewalPriceCap' then least(l.announced_renewal_price, (s.effect ->> 'renewalPriceCap')::bigint)
                                     else agreed_price(l.announced_renewal_price,
                                                       greatest(0, l.announced_renewal_price + coalesce((s.effect ->> 'renewalPriceChange')::bigint, 0)),
                                                       s.limited and l.auto_renew, false) end,
      renewal_price_announced_at = case when s.effect ? 'renewalPrice' then null else l.renewal_price_announced_at end,
      provider_reference = coalesce(s."references" ->> l.key, l.provider_reference),
      open_operation_id = nullif(l.open_operation_id, s.id),
      updated_at = s.now
    from (select s.id, s.reseller_id, s.now, s.limited, s."references", e.effect
            from jsonb_to_recordset(p_settled) as s (id uuid, reseller_id int, now timestamptz, limited boolean, "references" jsonb, effects jsonb),
                 jsonb_array_elements(s.effects -> 'licenses') e (effect)) s
   where l.key = s.effect ->> 'key' and l.reseller_id is not distinct from s.reseller_id;

  -- A member's cores are renewed with its bundle.
  if p_settled @? '$[*].effects.licenses[*].renewalPriceChange' then
    update bundle_instances b set
        agreed_renewal_price = case when b.agreed_renewal_price is not null
                                    then greatest(0, least(b.agreed_renewal_price, change.cap) + change.amount) end,
        announced_renewal_price = case when b.announced_renewal_price is not null
                                       then greatest(0, least(b.announced_renewal_price, change.cap) + change.amount) end
      from (select bundle_instance_id, reseller_id, coalesce(sum(amount) filter (where cap is null), 0)::bigint as amount,
                   min(cap) as cap
              from (select l.bundle_instance_id, l.reseller_id, (e.effect ->> 'renewalPriceCap')::bigint as cap,
                           case when s.limited and whole.auto_renew then least(0, (e.effect ->> 'renewalPriceChange')::bigint)
                                else (e.effect ->> 'renewalPriceChange')::bigint end as amount
                      from jsonb_to_recordset(p_settled) as s (reseller_id int, limited boolean, effects jsonb)
                     cross join jsonb_array_elements(s.effects -> 'licenses') e (effect)
                      join licenses l on l.key = e.effect ->> 'key' and l.reseller_id is not distinct from s.reseller_id
                      join bundle_instances whole on whole.id = l.bundle_instance_id and whole.reseller_id = l.reseller_id
                     where e.effect ? 'renewalPriceChange') member
             group by 1, 2) change
     where b.id = change.bundle_instance_id and b.reseller_id is not distinct from change.reseller_id;
  end if;
end $$;
create or replace function apply_suspension() returns trigger language plpgsql as $$
begin
  update wallets w set suspended = new.suspended_at is not null where w.reseller_id = new.id;
  if new.suspended_at is not null then
    update sessions s set revoked_at = new.suspended_at
      from users u where u.id = s.user_id and u.reseller_id = new.id and s.revoked_at is null;
  else
    perform wake_bulk_job(j.id, now()) from bulk_jobs j where j.reseller_id = new.id and j.state <> 'finished';
    perform wake_worker('renew_reseller', json_build_object('resellerId', new.id), now(), 'renew_reseller:' || new.id);
  end if;
  return null;
end $$;
create or replace function audit_entry_text(e audit_entries) returns text language sql stable as $$
  select jsonb_build_object(
    'id', e.id, 'at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'actor', e.actor,
    'acting_as_reseller_id', e.acting_as_reseller_id, 'action', e.action, 'reseller_id', e.reseller_id, 'subject', e.subject,
    'subject_label', e.subject_label, 'reason', e.reason, 'data', e.data, 'request_id', e.request_id, 'address', e.address)::text
$$;
create or replace function balance_changed_core_lots() returns trigger language plpgsql as $$
begin
  perform balance_core_lots(new.id);
  return null;
end $$;
create or replace function balance_core_lots(p_license_id int) returns void language plpgsql as $$
declare
  license licenses;
  credited int[];
begin
  select * into license from licenses l where l.id = p_license_id and l.cores is not null and l.provisioned_at is not null;
  if not found then return; end if;
  insert into core_lots (license_id, reseller_id, paid_term_id, cores, starts_at, ends_at, amount)
  select license.id, license.reseller_id, term.id, license.cores - 1 - live.cores, greatest(term.starts_at, license.updated_at), term.ends_at, 0
    from paid_terms_ahead(license.id, license.updated_at) term
   cross join lateral (select coalesce(sum(l.cores - l.removed_cores), 0)::int as cores
                         from core_lots l where l.paid_term_id = term.id and l.removed_cores < l.cores) live
   where live.cores < license.cores - 1
   order by term.id;
  with credits as (
    insert into core_credits (lot_id, reseller_id, cores, credited_from, amount)
    select live.id, license.reseller_id, least(live.cores, live.total - (license.cores - 1)), greatest(live.starts_at, license.updated_at), 0
      from (select l.id, l.starts_at, l.cores - l.removed_cores as cores,
                   sum(l.cores - l.removed_cores) over (partition by term.id order by l.id)::int as total
              from paid_terms_ahead(license.id, license.updated_at) term
              join core_lots l on l.paid_term_id = term.id and l.removed_cores < l.cores) live
     where live.total > license.cores - 1
     order by live.id desc
    returning lot_id
  )
  select array_agg(c.lot_id) into credited from credits c;
  if credited is not null then perform count_removed_cores(credited); end if;
end $$;
create or replace function begin_bulk_item(p_job_id int, p_token uuid, p_all_or_nothing boolean, p_now timestamptz)
returns table (item bulk_job_items, undoing boolean) language plpgsql as $$
declare
  job bulk_jobs;
  next_id int;
begin
  select j.* into job from bulk_jobs j where j.id = p_job_id and j.lease_token = p_token for update;
  if not found then return; end if;
  select i.id into next_id from bulk_job_items i where i.job_id = job.id and i.state = 'running' order by i.position limit 1;
  if job.canceled_at is not null then
    update bulk_job_items i set state = 'skipped', error_code = 'canceled', error_message = 'Canceled before it began.', ended_at = p_now
     where i.job_id = job.id and i.state = 'queued';
  end if;
  if next_id is null and p_all_or_nothing and job.state = 'running' then
    if exists (select from bulk_job_items i where i.job_id = job.id and i.state = 'pending' and bulk_item_is_awaited(i)) then return; end if;
    if job.canceled_at is not null or exists (select from bulk_job_items i where i.job_id = job.id and i.state = 'failed') then
      update bulk_jobs j set state = 'undoing' where j.id = job.id returning * into job;
      update bulk_job_items i set state = 'skipped', error_code = 'not_started', error_message = 'Not started because another item failed.', ended_at = p_now
       where i.job_id = job.id and i.state = 'queued';
    end if;
  end if;
  if next_id is null and job.state = 'undoing' then
    select i.id into next_id from bulk_job_items i
     where i.job_id = job.id and i.state = 'succeeded' and (i.revert_at is null or i.revert_at <= p_now) order by i.position desc limit 1;
  elsif next_id is null and coalesce(job.waits_until, p_now) <= p_now and not exists (select from resellers r where r.id = job.reseller_id and r.suspended_at is not null) then
    select i.id into next_id from bulk_job_items i where i.job_id = job.id and i.state = 'queued' order by i.position limit 1;
  end if;
  if next_id is not null then
    update bulk_jobs j set waits_until = null where j.id = job.id and j.waits_until is not null;
  end if;
  return query update bulk_job_items i set state = 'running' where i.id = next_id
    returning i, job.state = 'undoing';
end $$;
create or replace function begin_timeline(out timeline int, out began boolean) language plpgsql as $$
declare
  skipped constant bigint := 1000000;
begin
  timeline := current_timeline();
  update deployment d set timeline = begin_timeline.timeline where d.timeline <> begin_timeline.timeline;
  began := found;
  if not began then return; end if;
  perform setval(format('%I.%I', s.schemaname, s.sequencename)::regclass,
                 u.value + least(skipped, (s.max_value - u.value) / 2))
     from pg_sequences s, lateral (select coalesce(s.last_value, 0)) u (value)
    where s.schemaname = current_schema();
  insert into job_runs (name, next_at) values ('detect_drift', clock_timestamp())
  on conflict (name) do update set next_at = excluded.next_at;
end $$;
create or replace function bought_from(p_operation operations) returns timestamptz language sql stable as $$
  select coalesce((p_operation.plan #>> '{facts,startsAt}')::timestamptz, date_trunc('second', p_operation.created_at))
$$;
create or replace function bulk_item_is_awaited(p_item bulk_job_items) returns boolean language sql immutable as $$
  select p_item.state = 'pending' and (p_item.revert_at is not null or p_item.revert_until is null)
$$;
create or replace function bulk_item_state_of(p_operation operation_state, p_undo boolean) returns bulk_item_state language sql immutable as $$
  select case p_operation
    when 'succeeded' then (case when p_undo then 'undone' else 'succeeded' end)
    when 'rejected' then 'failed'
    else 'pending' end::bulk_item_state
$$;
create or replace function challenge_webhook_endpoint(p_endpoint_id int, p_limit int, p_actor text, p_now timestamptz, p_request_id text)
returns int language plpgsql as $$
declare
  endpoint webhook_endpoints;
  new_event_id uuid := gen_random_uuid();
  asked int;
  oldest timestamptz;
begin
  select * into endpoint from webhook_endpoints e
   where e.id = p_endpoint_id and e.pending_since is not null and e.paused_at is null and e.disabled_at is null for no key update;
  if not found then return null; end if;
  -- Serializes the reseller's challenges, so that the count below includes the previous one.
  perform pg_advisory_xact_lock(hashtext('challenge_webhook_endpoint'), endpoint.reseller_id);
  select count(*), min(v.occurred_at) into asked, oldest from events v
   where v.reseller_id = endpoint.reseller_id and v.kind = 'webhook.endpoint_verification' and v.occurred_at > p_now - interval '1 hour';
  if asked >= p_limit then
    update webhook_endpoints e set challenge_error = 'Not sent: the limit of ' || p_limit || ' challenges within an hour per account is reached.'
     where e.id = endpoint.id and p_actor is null;
    return greatest(1, ceil(extract(epoch from oldest + interval '1 hour' - p_now)))::int;
  end if;
  update webhook_deliveries d set state = 'discarded'
   where d.event_id in (select v.id from events v
                         where v.reseller_id = endpoint.reseller_id and v.kind = 'webhook.endpoint_verification')
     and d.endpoint_id = endpoint.id and d.state = 'pending' and d.owner_id is null;
  update webhook_endpoints e set challenge_event_id = new_event_id, challenge_error = null, code_tries = 0
   where e.id = endpoint.id;
  insert into events (id, reseller_id, kind, data, test_endpoint_id, occurred_at)
  values (new_event_id, endpoint.reseller_id, 'webhook.endpoint_verification',
          -- 244 random bits.
          jsonb_build_object('challenge', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')),
          endpoint.id, p_now);
  if p_actor is not null then
    perform write_audit_entry(p_actor, 'webhook.challenge', endpoint.reseller_id, 'webhook_endpoint:' || endpoint.id, '', '{}', p_now,
                              p_request_id, endpoint.url);
  end if;
  return null;
end $$;
create or replace function changes_between(p_before jsonb, p_after jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(a.key, jsonb_build_object('before', p_before -> a.key, 'after', a.value)), '{}')
    from jsonb_each(p_after) a where p_before -> a.key is distinct from a.value
$$;
create or replace function charge_left(p_operation_id uuid, p_reseller_id int) returns bigint language sql stable as $$
  select (coalesce((select -sum(e.amount) from ledger_entries e where e.operation_id = p_operation_id and e.reseller_id is not distinct from p_reseller_id), 0)
          - coalesce((select sum(c.amount)
                        from core_lots lot join core_credits c on c.lot_id = lot.id and c.reseller_id is not distinct from lot.reseller_id
                        left join operations o on o.id = c.operation_id and o.reseller_id is not distinct from c.reseller_id
                       where lot.operation_id = p_operation_id and lot.reseller_id is not distinct from p_reseller_id and o.state is distinct from 'rejected'), 0))::bigint
$$;
create or replace function charges_of_term(p_license_id int, p_at timestamptz)
returns table (operation_id uuid, amount bigint) language sql stable rows 10 as $$
  with ended as (
    select l.reseller_id, coalesce(l.terminated_at, p_at) as at from licenses l where l.id = p_license_id
  ), charged as (
    select o.id, o.settled_at,
           least(charge_left(o.id, ended.reseller_id),
                 case when o.kind = 'license_change_core' then (
                   select coalesce(sum(lot.amount - used.credited_amount), 0)
                     from core_lots lot cross join lateral core_lot_use(lot.id) used
                    where lot.operation_id = o.id and lot.paid_term_id in (select t.id from paid_terms_ahead(lot.license_id, ended.at) t)) end)::bigint as amount
      from ended, operations_of_term(p_license_id, p_at) o where o.price > 0
  )
  select c.id, c.amount from charged c where c.amount > 0 order by c.settled_at desc, c.id
$$;
create or replace function claim_license_address() returns trigger language plpgsql as $$
begin
  delete from address_claims c where c.license_id = new.id and c.reseller_id = new.reseller_id and c.operation_id is null;
  if new.terminated_at is null then
    insert into address_claims (sandbox_id, reseller_id, license_id, product_id, ip_address, valid_from, valid_until)
    values (sandbox_of(new.reseller_id), new.reseller_id, new.id, new.product_id, new.ip_address,
            least(greatest(new.anchored_at, new.updated_at), new.expires_at), new.expires_at);
  end if;
  return null;
end $$;
create or replace function claim_mails(p_owner_id uuid, p_token uuid, p_now timestamptz, p_slots int, p_kinds text[]) returns setof mails
language plpgsql as $$
begin
  update mails m set secret = null
   where m.id in (select e.id from mails e where e.secret is not null and e.secret_until <= p_now for update skip locked);
  if p_slots <= 0 then return; end if;
  update mails m set
      state = 'failed', secret = case when u.disabled_at is null then m.secret end,
      error = case when u.disabled_at is not null and m.kind <> 'access_changed' then 'Not sent: the user is disabled.'
                   when m.send_until <= p_now then coalesce(m.error, 'Not sent in time.')
                   else 'Not sent: the user does not get messages of this kind any more.' end
    from users u
   where u.id = m.user_id
     and m.id in (select e.id from mails e join users o on o.id = e.user_id
                   where e.state = 'pending' and e.owner_id is null
                     and (e.send_until <= p_now or o.disabled_at is not null and e.kind <> 'access_changed'
                          or e.next_attempt_at <= p_now and not wants_mail(e.kind, o))
                     for update of e skip locked);
  return query
  with due as (
    -- With what is under way: else the oldest backlog would get every single slot that becomes free.
    select m.id, m.owner_id, m.secret is not null as awaited, m.next_attempt_at,
           row_number() over (partition by u.reseller_id, m.secret is not null
                              order by m.owner_id is null, m.next_attempt_at, m.id) as turn
      from mails m join users u on u.id = m.user_id
     where m.state = 'pending' and (m.owner_id is not null or m.next_attempt_at <= p_now) and m.kind = any (p_kinds)
  ), chosen as materialized (
    select m.id from mails m
     where m.id in (select d.id from due d where d.owner_id is null order by d.awaited and d.turn <= 3 desc, d.turn, d.awaited desc, d.next_attempt_at
                    limit p_slots)
       and m.state = 'pending' and m.owner_id is null
     order by m.id for update skip locked
  )
  update mails m set
      attempt_count = m.attempt_count + 1, owner_id = p_owner_id, lease_token = p_token,
      recipient = case when m.secret_until is null then u.email else m.recipient end
    from chosen c, users u where m.id = c.id and u.id = m.user_id returning m.*;
end $$;
create or replace function claim_new_addresses() returns trigger language plpgsql as $$
begin
  insert into address_claims (sandbox_id, reseller_id, license_id, product_id, ip_address, valid_from, valid_until)
  select sandbox_of(n.reseller_id), n.reseller_id, n.id, n.product_id, n.ip_address, least(n.anchored_at, n.expires_at), n.expires_at
    from new_licenses n where n.terminated_at is null;
  return null;
end $$;
create or replace function claim_webhook_deliveries(p_owner_id uuid, p_token uuid, p_now timestamptz, p_slots int, p_failing_slots int,
                                                    p_target_concurrency int, p_target_rate int, p_target_challenges int, p_formats text[])
returns table (
  delivery_id bigint, attempt_number int, failure_count int, failing boolean, endpoint_id int,
  format webhook_format, url text, chat_id text, test_mode boolean, target text, seal_id uuid,
  challenge_event_id uuid, secret bytea, previous_secret bytea, previous_secret_until timestamptz, event_id uuid, kind text, data jsonb, occurred_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
begin
  -- Serializes claims, so each one sees the previous one's claims and no endpoint exceeds its share.
  perform pg_advisory_xact_lock(hashtext('claim_webhook_deliveries'));
  return query
  with recursive waiting (endpoint_id) as (
    (select d.endpoint_id from webhook_deliveries d where d.state = 'pending' order by d.endpoint_id limit 1)
    union all
    select (select d.endpoint_id from webhook_deliveries d
             where d.state = 'pending' and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1)
      from waiting w where w.endpoint_id is not null
  ), in_flight as materialized (
    select d.endpoint_id, d.target, count(*)::int as count, 
           count(*) filter (where coalesce(e.first_failed_at, e.pending_since) is not null)::int as failing
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id where d.owner_id is not null group by 1, 2
  ), account_busy as materialized (
    select coalesce(r.sandbox_of, r.id) as account_id, sum(f.count)::int as count
      from in_flight f join webhook_endpoints e on e.id = f.endpoint_id join resellers r on r.id = e.reseller_id group by 1
  ), candidates as materialized (
    -- A pending endpoint counts as failing until it has responded.
    select e.id, a.account_id, coalesce(a.count, 0) as account_busy, e.ordered, e.target, e.pending_since is not null as pending,
           e.challenge_event_id,
           coalesce(e.first_failed_at, e.pending_since) is not null as failing, coalesce(busy.count, 0)::int as busy,
           case when e.ordered or coalesce(e.first_failed_at, e.pending_since) is not null or e.target is null then 1
                else e.concurrency end
             - coalesce(busy.count, 0)::int as room
      from waiting w
      join webhook_endpoints e on e.id = w.endpoint_id and e.paused_at is null and e.disabled_at is null
       and e.format::text = any (p_formats)
      left join (select u.endpoint_id, sum(u.count) as count from in_flight u group by 1) busy on busy.endpoint_id = e.id
     cross join lateral (select coalesce(r.sandbox_of, r.id) as account_id, b.count
                           from resellers r left join account_busy b on b.account_id = coalesce(r.sandbox_of, r.id)
                          where r.id = e.reseller_id) a
  ), target_rooms as materialized (
    select c.target, greatest(p_target_concurrency >> 1, 1) - coalesce(u.failing, 0)::int as failing_room,
           greatest(0, least(
             p_target_concurrency - coalesce(u.count, 0)::int,
             -- A bucket of one second's deliveries. A time further ahead is from before the clock was set back.
             floor(p_target_rate * (1 - extract(epoch from case when t.spent_until between p_now and p_now + interval '2 seconds'
                                                                then t.spent_until - p_now else interval '0' end)) + 1e-6)::int)) as room,
           floor(p_target_challenges * (1 - extract(epoch from case when t.challenged_until between p_now and p_now + interval '2 hours'
                                                                    then t.challenged_until - p_now else interval '0' end) / 3600)
                 + 1e-6)::int as challenge_room
      from (select distinct x.target from candidates x where x.target is not null) c
      left join webhook_targets t on t.address = c.target
      left join (select w.target, sum(w.count) as count, sum(w.failing) as failing from in_flight w group by 1) u on u.target = c.target
  ), open_endpoints as materialized (
    select c.id, c.account_id, c.account_busy, c.ordered, c.target, c.pending, c.challenge_event_id, c.failing, c.busy,
           least(c.room, t.room) as room,
           t.room as target_room, t.failing_room as target_failing_room, t.challenge_room as target_challenge_room
      from candidates c left join target_rooms t on t.target = c.target
  ), due as (
    select d.id, d.next_attempt_at, o.account_id, o.account_busy, o.failing, o.pending, o.target, o.target_room, o.target_failing_room, o.target_challenge_room,
           o.busy + row_number() over (partition by o.id order by d.next_attempt_at, d.id) as turn
      from open_endpoints o
     cross join lateral (
       (select d.id, d.next_attempt_at from webhook_deliveries d
         where not o.ordered and not o.pending and d.endpoint_id = o.id and d.state = 'pending' and d.next_attempt_at <= p_now
           and d.owner_id is null
         order by d.next_attempt_at, d.id limit greatest(o.room, 0))
       union all
       -- Ordered endpoints: only the oldest delivery is eligible, once it is due. The others wait behind it.
       (select head.id, head.next_attempt_at
          from (select d.* from webhook_deliveries d where d.endpoint_id = o.id and d.state = 'pending' order by d.id limit 1) head
         where o.ordered and not o.pending and o.room > 0 and head.next_attempt_at <= p_now)
       union all
       (select d.id, d.next_attempt_at from webhook_deliveries d
         where o.pending and o.room > 0 and d.event_id = o.challenge_event_id and d.endpoint_id = o.id and d.state = 'pending'
           and d.next_attempt_at <= p_now)
     ) d
  ), within_targets as (
    select l.* from (
      select f.*, row_number() over (partition by f.target order by f.turn, f.next_attempt_at) as target_place
        from (select u.*, row_number() over (partition by u.target, u.failing order by u.turn, u.next_attempt_at) as failing_place
                from (select c.*, row_number() over (partition by c.target, c.pending order by c.next_attempt_at) as challenge_place
                        from due c) u
               where u.target is null or not u.pending or u.challenge_place <= u.target_challenge_room) f
       where f.target is null or not f.failing or f.failing_place <= f.target_failing_room) l
     where l.target is null or l.target_place <= l.target_room
  ), within_accounts as (
    select a.* from (select t.*, t.account_busy + row_number() over (partition by t.account_id order by t.turn, t.next_attempt_at) as account_place
                       from within_targets t) a
     where a.account_place <= 100
  ), picked as (
    select r.id from (select u.*, row_number() over (partition by u.failing order by u.turn, u.next_attempt_at) as place
                        from within_accounts u) r
     where not r.failing or r.place <= p_failing_slots
     order by r.turn, r.next_attempt_at limit p_slots
  ), chosen as materialized (
    select d.id, d.resent, e.target, e.pending_since is not null as challenge from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
     where d.id in (select p.id from picked p) and d.state = 'pending' and d.owner_id is null
     order by d.id for update of d skip locked for key share of e skip locked
  ), taken as (
    update webhook_deliveries d set attempt_count = d.attempt_count + 1, owner_id = p_owner_id, lease_token = p_token, resent = false,
                                   target = c.target
      from chosen c where d.id = c.id returning d.*
  ), spent as (
    insert into webhook_targets as w (address, spent_until, challenged_until)
    select c.target, p_now + make_interval(secs => count(*)::float8 / p_target_rate),
           p_now + make_interval(secs => 3600.0 * nullif(count(*) filter (where c.challenge), 0) / p_target_challenges)
      from chosen c join taken t on t.id = c.id
     where c.target is not null group by c.target order by c.target
    on conflict (address) do update set
        spent_until = excluded.spent_until + case when w.spent_until between p_now and p_now + interval '2 seconds'
                                                  then w.spent_until - p_now else interval '0' end,
        challenged_until = case when excluded.challenged_until is null then w.challenged_until
                                when w.challenged_until between p_now and p_now + interval '2 hours'
                                then excluded.challenged_until + (w.challenged_until - p_now)
                                else excluded.challenged_until end
  ), interrupted as (
    update webhook_attempts a set error = 'No result: the process that sent it has ended.'
      from taken t where a.delivery_id = t.id and a.number = t.attempt_count - 1 and a.succeeded is null
  ), begun as (
    insert into webhook_attempts (delivery_id, endpoint_id, number, manual, started_at)
    select t.id, t.endpoint_id, t.attempt_count, c.resent, p_now from taken t join chosen c on c.id = t.id
  )
  select t.id, t.attempt_count, t.failure_count, coalesce(e.first_failed_at, e.pending_since) is not null, e.id, e.format, e.url, e.chat_id,
         r.sandbox_of is not null, t.target, e.seal_id, e.challenge_event_id, e.secret, e.previous_secret, e.previous_secret_until, v.id, v.kind, v.data, v.occurred_at
    from taken t join webhook_endpoints e on e.id = t.endpoint_id join events v on v.id = t.event_id
    join resellers r on r.id = e.reseller_id
   order by t.id;
end $$;
create or replace function close_case(
  p_case_id int, p_fingerprint text, p_resolution text, p_action text, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns reconciliation_cases language plpgsql as $$
declare
  closed reconciliation_cases;
begin
  update reconciliation_cases c set resolved_at = p_now, resolution = p_resolution
   where c.id = p_case_id and c.resolved_at is null and c.fingerprint = p_fingerprint
  returning * into closed;
  if not found then raise exception 'the case has changed' using errcode = 'LD004'; end if;
  perform write_audit_entry(p_actor, 'reconciliation.' || p_action, closed.reseller_id, 'case:' || closed.id, p_reason,
    jsonb_build_object('kind', closed.kind, 'reference', closed.reference, 'resolution', closed.resolution), p_now,
    p_request_id);
  return closed;
end $$;
create or replace function confirm_email_change(p_token_hash bytea, p_now timestamptz, p_request_id text) returns text
language plpgsql as $$
declare
  change email_changes;
  person users;
begin
  select u.* into person from users u join email_changes c on c.user_id = u.id
   where p_token_hash in (c.old_token_hash, c.new_token_hash) for update of u;
  update email_changes c set
      old_confirmed_at = case when c.old_token_hash = p_token_hash then coalesce(c.old_confirmed_at, p_now) else c.old_confirmed_at end,
      new_confirmed_at = case when c.new_token_hash = p_token_hash then coalesce(c.new_confirmed_at, p_now) else c.new_confirmed_at end
   where p_token_hash in (c.old_token_hash, c.new_token_hash) and c.expires_at > p_now and c.user_id = person.id
     and person.disabled_at is null and c.password_mark = sha256(convert_to(person.password_hash, 'UTF8'))
  returning c.* into change;
  if not found then return null; end if;
  if change.old_confirmed_at is null or change.new_confirmed_at is null then return 'waiting'; end if;
  update users u set email = change.new_email, password_hash = change.new_password_hash where u.id = change.user_id;
  delete from email_changes c where c.user_id = change.user_id;
  delete from access_links l where l.user_id = change.user_id;
  perform forget_mail_links(change.user_id, null, 'Not sent: the user''s address has changed.', p_now);
  perform end_sessions(change.user_id, null, p_now);
  perform write_audit_entry('user:' || person.id, 'user.change_email', person.reseller_id, 'user:' || person.id, '',
                            jsonb_build_object('changes', changes_between(jsonb_build_object('email', person.email),
                                                                          jsonb_build_object('email', change.new_email))),
                            p_now, p_request_id, person.name);
  return 'changed';
end $$;
create or replace function core_change_cost(op operations, out cost bigint, out uncosted bigint) language sql stable as $$
  select round(sum(part.cost))::bigint, coalesce(sum(part.amount) filter (where part.cost is null), 0)::bigint
    from (select lot.cost::numeric as cost, lot.amount
            from core_lots lot where lot.operation_id = op.id and lot.reseller_id is not distinct from op.reseller_id
          union all
          select (select -lot.cost * credit.cores * greatest(0, extract(epoch from lot.ends_at - credit.credited_from))
                         / (lot.cores * extract(epoch from lot.ends_at - lot.starts_at))
                    from core_lots lot
                   where lot.id = credit.lot_id and lot.reseller_id is not distinct from op.reseller_id), -credit.amount
            from core_credits credit
           where credit.operation_id = op.id and credit.reseller_id is not distinct from op.reseller_id) part
$$;
create or replace function core_lot_use(p_lot_id int, out reserved_cores int, out removed_cores int, out credited_amount bigint)
language sql stable as $$
  select coalesce(sum(c.cores), 0)::int,
         coalesce(sum(c.cores) filter (where o.id is null or o.state = 'succeeded'), 0)::int,
         coalesce(sum(c.amount), 0)::bigint
    from core_credits c left join operations o on o.id = c.operation_id
   where c.lot_id = p_lot_id and o.state is distinct from 'rejected'
$$;
create or replace function count_removed_cores(p_lot_ids int[]) returns void language sql set enable_seqscan to off as $$
  update core_lots lot set removed_cores = (select used.removed_cores from core_lot_use(lot.id) used) where lot.id = any (p_lot_ids)
$$;
create or replace function create_partition(p_table text, p_from timestamptz, p_until timestamptz)
returns boolean language plpgsql set lock_timeout = '500ms' as $$
declare
  v_name text := format('%s_%s', p_table, to_char(p_from at time zone 'UTC', 'YYYYMMDD'));
  v_default text := p_table || '_default';
  v_time text;
begin
  execute format('lock table only %I in share update exclusive mode', p_table);
  if to_regclass(v_name) is not null then
    return true;
  end if;
  select a.attname into strict v_time
    from pg_partitioned_table t join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
   where t.partrelid = p_table::regclass;
  execute format('lock table %I in access exclusive mode', v_default);
  execute format('create table %I (like %I including all)', v_name, p_table);
  execute format('with moved as (delete from %1$I where %2$I >= $1 and %2$I < $2 returning *) insert into %3$I select * from moved',
                 v_default, v_time, v_name) using p_from, p_until;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table, v_name, p_from, p_until);
  return true;
exception when lock_not_available then
  return false;
end $$;
create or replace function create_pending_licenses(p_holds jsonb) returns void language plpgsql as $$
begin
  if p_holds @? '$[*].new_instance' then
    insert into bundle_instances (id, bundle_id, reseller_id, cycle_id, ip_address, issued_at, anchored_at, expires_at,
                                  auto_renew, agreed_renewal_price, open_operation_id)
    select o.bundle_instance_id, b.bundle_id, h.reseller_id, b.cycle_id, b.ip_address, b.issued_at, b.anchored_at, b.expires_at,
           coalesce(b.auto_renew, false), b.agreed_renewal_price, h.id
      from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, new_instance jsonb)
     cross join jsonb_to_record(h.new_instance) as b (
             bundle_id int, cycle_id int, ip_address text, issued_at timestamptz, anchored_at timestamptz, expires_at timestamptz,
             auto_renew boolean, agreed_renewal_price bigint)
      join operations o on o.id = h.id and o.reseller_id is not distinct from h.reseller_id
     where h.new_instance is not null;
  end if;

  -- Ids are drawn in the order of the list. The operation of a single license has drawn its id.
  insert into licenses (id, key, reseller_id, product_id, cycle_id, bundle_instance_id, ip_address, cores, notes,
                        external_id, auto_renew, agreed_renewal_price, issued_at, anchored_at, expires_at, open_operation_id)
  select case when l.number = 1 and o.license_id is not null then o.license_id else nextval('licenses_id_seq') end,
         l.key, o.reseller_id, l.product_id, l.cycle_id, o.bundle_instance_id, l.ip_address, l.cores, coalesce(l.notes, ''),
         l.external_id, coalesce(l.auto_renew, false), l.agreed_renewal_price, l.issued_at, l.anchored_at, l.expires_at, o.id
    from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, new_licenses jsonb)
    join operations o on o.id = h.id and o.reseller_id is not distinct from h.reseller_id
   cross join rows from (jsonb_to_recordset(h.new_licenses) as (
           key text, product_id int, cycle_id int, ip_address text, cores int, notes text, external_id text,
           auto_renew boolean, agreed_renewal_price bigint, issued_at timestamptz, anchored_at timestamptz,
           expires_at timestamptz)) with ordinality as l (
           key, product_id, cycle_id, ip_address, cores, notes, external_id, auto_renew, agreed_renewal_price, issued_at,
           anchored_at, expires_at, number);

  -- The foreign keys of these licenses keep their products as they are until the end of the transaction (has_kept_licenses).
  perform from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, plan jsonb, new_licenses jsonb)
    cross join jsonb_array_elements(h.plan -> 'steps') s (step)
     join licenses l on l.key = s.step #>> '{request,reference}' and l.reseller_id is not distinct from h.reseller_id
     join products p on p.id = l.product_id
    where h.new_licenses is not null
      and (p.provider_sku <> s.step #>> '{request,product}' or p.provider <> h.plan ->> 'provider' and sandbox_of(h.reseller_id) = 0);
  if found then raise exception 'a product has moved' using errcode = 'LD001'; end if;
end $$;
create or replace function current_timeline() returns int language sql as $$
  select ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
$$;
create or replace function decide_sandbox_requests(p_requests jsonb, p_provider text)
returns table (place int, accepted boolean, message text) language plpgsql
set plan_cache_mode to force_generic_plan set join_collapse_limit to 1 set from_collapse_limit to 1 set cpu_tuple_cost to 10
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
#variable_conflict use_column
begin
  return query
    with request as (
      select r.place, r."idempotencyKey" as key, r.action, r.reference, r.product, r."ipAddress" as ip_address, r.cores,
             r."expiresAt" as expires_at, r.rejection is null as accepted, coalesce(r.rejection, '') as message
        from jsonb_to_recordset(p_requests) as r (
               place int, "idempotencyKey" text, action text, reference text, product text, "ipAddress" text, cores int,
               "expiresAt" timestamptz, rejection text)
    ), decided as (
      insert into sandbox_provider_requests (idempotency_key, kind, reference, accepted, message)
      select r.key, r.action, r.reference, r.accepted, r.message from request r
      on conflict (idempotency_key) do nothing returning idempotency_key
    ), accepted as (
      select r.* from request r join decided d on d.idempotency_key = r.key where r.accepted
    ), with_state as (
      insert into sandbox_provider_licenses (reference, product, ip_address, cores, expires_at, state, provider)
      select a.reference, a.product, a.ip_address, a.cores, a.expires_at,
             case a.action when 'suspend' then 'suspended' when 'terminate' then 'terminated' else 'active' end, p_provider
        from accepted a where a.action in ('suspend', 'unsuspend', 'terminate', 'provision')
      on conflict (reference) do update set
        product = excluded.product, ip_address = excluded.ip_address, cores = excluded.cores, expires_at = excluded.expires_at,
        state = excluded.state
    ), without_state as (
      insert into sandbox_provider_licenses (reference, product, ip_address, cores, expires_at, state, provider)
      select a.reference, a.product, a.ip_address, a.cores, a.expires_at, 'active', p_provider
        from accepted a where a.action not in ('suspend', 'unsuspend', 'terminate', 'provision')
      on conflict (reference) do update set
        product = excluded.product, ip_address = excluded.ip_address, cores = excluded.cores, expires_at = excluded.expires_at
    )
    select r.place, coalesce(q.accepted, r.accepted), coalesce(q.message, r.message)
      from request r
      left join decided d on d.idempotency_key = r.key
      left join sandbox_provider_requests q on q.idempotency_key = r.key
     where d.idempotency_key is not null or q.idempotency_key is not null;
end $$;
create or replace function decide_top_up(
  p_top_up_id int,
  p_approve boolean,
  p_amount bigint,
  p_note text,
  p_actor text,
  p_event_id uuid,
  p_now timestamptz,
  p_request_id text
) returns setof top_up_requests language plpgsql as $$
declare
  request top_up_requests;
  wallet wallets;
begin
  update top_up_requests t set
      state = case when p_approve then 'approved' else 'declined' end::top_up_request_state,
      credited_amount = case when p_approve then coalesce(p_amount, t.amount) end,
      decided_by = p_actor, decided_at = p_now, decision_note = p_note
   where t.id = p_top_up_id and t.state = 'requested'
  returning * into request;
  if not found then return; end if;
  if p_approve then
    select * into wallet from wallets w where w.reseller_id = request.reseller_id;
    perform post_ledger_entry(request.reseller_id, 'top_up', 'top_ups', request.credited_amount, request.reference, p_note, p_actor, null,
      jsonb_build_object('id', p_event_id, 'kind', 'wallet.topped_up', 'data', jsonb_build_object(
        'amount', to_major(request.credited_amount, wallet.minor_digits), 'currency', wallet.currency)),
      p_now, request.method);
  end if;
  perform write_audit_entry(p_actor, 'wallet.decide_top_up', request.reseller_id, 'top_up_request:' || request.id, p_note,
    jsonb_build_object('state', request.state, 'amount', request.amount::text, 'credited', request.credited_amount::text,
                       'reference', request.reference), p_now,
    p_request_id);
  return next request;
end $$;
create or replace function delete_factors(p_user_id int) returns boolean language plpgsql as $$
declare
  existed boolean;
begin
  perform from users u where u.id = p_user_id for no key update;
  with totp as (
    delete from totp_factors t where t.user_id = p_user_id and t.confirmed_at is not null returning 1
  ), keys as (
    delete from passkeys p where p.user_id = p_user_id returning 1
  ), codes as (
    delete from recovery_codes c where c.user_id = p_user_id
  )
  select exists (select from totp) or exists (select from keys) into existed;
  return existed;
end $$;
create or replace function delete_failed_jobs(p_before timestamptz, p_limit int) returns int language plpgsql as $$
declare
  deleted int;
begin
  with failed as materialized (
    select f.id from graphile_worker._private_jobs f
     where f.attempts >= f.max_attempts and f.locked_at is null and f.run_at < p_before
     order by f.run_at limit p_limit for update skip locked
  )
  delete from graphile_worker._private_jobs j using failed
   where j.id = failed.id;
  get diagnostics deleted = row_count;
  return deleted;
exception when undefined_table or undefined_column or invalid_schema_name then
  return 0;
end $$;
create or replace function delete_identities(p_user_id int) returns boolean language plpgsql as $$
begin
  perform from users u where u.id = p_user_id for no key update;
  delete from user_identities i where i.user_id = p_user_id;
  return found;
end $$;
create or replace function dismiss_case(
  p_case_id int, p_fingerprint text, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, 'dismissed', 'dismiss', p_actor, p_reason, p_now, p_request_id);
begin
  update licenses l set updated_at = l.updated_at
   where l.id = closed.license_id and l.open_operation_id is null and l.updated_at <= closed.last_seen_at;
  if not found and exists (select from licenses l where l.id = closed.license_id) then
    raise exception 'the license has changed' using errcode = 'LD001';
  end if;
end $$;
create or replace function drop_partition(p_table text, p_name text) returns boolean language plpgsql set lock_timeout = '500ms' as $$
begin
  execute format('lock table only %I in access exclusive mode', p_table);
  if exists (select from partitions_of(p_table) where name = p_name) then
    execute format('drop table %I', p_name);
  end if;
  return true;
exception when lock_not_available then
  return false;
end $$;
create or replace function emit_license_event(p_license_id int, p_kind text, p_data jsonb, p_operation_id uuid, p_now timestamptz)
returns void language sql as $$
  insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, occurred_at)
  select gen_random_uuid(), l.reseller_id, p_kind,
         license_facts(l.id) || coalesce(p_data, '{}'), l.id, l.bundle_instance_id, p_operation_id, p_now
    from licenses l where l.id = p_license_id
$$;
create or replace function emit_low_balance(p_reseller_ids int[], p_now timestamptz) returns void language plpgsql as $$
declare
  crossed int[];
  low record;
begin
  crossed := array(select w.reseller_id from wallets w
                    where w.reseller_id = any (p_reseller_ids)
                      and (w.low_balance_emitted_at is not null) is distinct from coalesce(w.posted - w.held < w.low_balance_threshold, false));
  if crossed = '{}' then return; end if;
  for low in
    with changed as (
      update wallets w set low_balance_emitted_at = case when w.low_balance_emitted_at is null then p_now end
       where w.reseller_id = any (crossed) returning w.*
    )
    insert into events (id, reseller_id, kind, data, occurred_at)
    select gen_random_uuid(), w.reseller_id, 'wallet.low_balance',
           jsonb_build_object('currency', w.currency, 'balance', to_major(w.posted - w.held, w.minor_digits),
                              'threshold', to_major(w.low_balance_threshold, w.minor_digits)), p_now
      from changed w where w.low_balance_emitted_at is not null
    returning reseller_id, data
  loop
    perform queue_mails('low_balance', low.reseller_id, low.data, p_now);
  end loop;
end $$;
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
create or replace function end_bulk_item(
  p_item_id int, p_token uuid, p_state bulk_item_state, p_code text, p_message text, p_operation_id uuid, p_now timestamptz
) returns boolean language plpgsql as $$
declare
  op operations;
  job bulk_jobs;
  is_recorded boolean;
begin
  select * into op from operations o where o.id = p_operation_id for share;
  select j.* into job from bulk_jobs j join bulk_job_items i on i.job_id = j.id where i.id = p_item_id for update of j;
  if job.lease_token is distinct from p_token then return false; end if;
  update bulk_job_items i set
      state = case when op.id is null then p_state else bulk_item_state_of(op.state, op.request_id like '%:undo') end,
      error_code = case when op.state = 'rejected' then 'provider_rejected' else p_code end,
      error_message = case when op.state = 'rejected' then coalesce(op.failure_message, p_message) else p_message end,
      operation_id = coalesce(op.id, i.operation_id),
      license_id = coalesce(i.license_id, op.license_id),
      charged_amount = i.charged_amount + case when op.state = 'succeeded' then op.price else 0 end,
      revert_until = case when job.state = 'undoing' and op.id is null and p_state = 'failed' then coalesce(i.revert_until, p_now)
                          else i.revert_until end,
      ended_at = p_now
   where i.id = p_item_id and i.state = 'running';
  is_recorded := found;
  if is_recorded and job.state = 'undoing' and op.state = 'rejected' then
    perform postpone_bulk_revert(p_item_id, 'provider_rejected', coalesce(op.failure_message, 'The provider rejected it.'), p_now);
  end if;
  return is_recorded;
end $$;
create or replace function end_false_waits(p_now timestamptz) returns int language plpgsql as $$
declare
  -- An outcome is asked for again after 30 seconds.
  longest_ask constant interval := '1 minute';
  -- A request counts as lost ten minutes after it was sent, so one sent in the future counts as sent now: by the
  -- database's clock, because a process that has slept would count those of others as lost.
  longest_skew constant interval := '1 minute';
  -- lib/domain/retry.ts: 24 hours, and a tenth of jitter.
  longest_delivery constant interval := '27 hours';
  -- lib/domain/mail/retry.ts: 4 hours.
  longest_mail constant interval := '5 hours';
  -- postpone_bulk_revert: an hour between tries, for a day.
  longest_revert constant interval := '2 hours';
  -- A provider's rate limit is for a minute.
  longest_pause constant interval := '5 minutes';
  -- Jobs are queued as due. After a failure the queue waits for up to e⁵ seconds.
  longest_job constant interval := '5 minutes';
  ended int;
  jobs int := 0;
begin
  with asked as (
    update operations
       set ask_at = case when ask_at > clock_timestamp() + longest_ask then null else ask_at end,
           sent_at = case when coalesce(sent_at, created_at) > clock_timestamp() then clock_timestamp() else sent_at end
     where id in (
      select o.id from operations o
       where o.settled_at is null and o.owner_id is null
         and (o.ask_at > clock_timestamp() + longest_ask or coalesce(o.sent_at, o.created_at) > clock_timestamp() + longest_skew)
         for update skip locked) returning 1
  ), delivered as (
    update webhook_deliveries set next_attempt_at = p_now where id in (
      select d.id from webhook_deliveries d
       where d.state = 'pending' and d.owner_id is null and d.next_attempt_at > p_now + longest_delivery
         for update skip locked) returning 1
  ), mailed as (
    update mails set next_attempt_at = p_now, send_until = least(send_until, p_now + interval '1 day') where id in (
      select m.id from mails m
       where m.state = 'pending' and m.owner_id is null and m.next_attempt_at > p_now + longest_mail
         for update skip locked) returning 1
  ), reverted as (
    update bulk_job_items set revert_at = p_now, revert_until = least(revert_until, p_now + interval '1 day') where id in (
      select i.id from bulk_jobs j join bulk_job_items i on i.job_id = j.id and i.reseller_id = j.reseller_id
       where j.state <> 'finished' and i.state = 'succeeded' and i.revert_at > p_now + longest_revert
         for update of i skip locked) returning 1
  ), paused as (
    update bulk_jobs set waits_until = p_now where id in (
      select j.id from bulk_jobs j
       where j.state <> 'finished' and j.owner_id is null and j.waits_until > p_now + longest_pause
         for update skip locked) returning 1
  )
  select (select count(*) from asked) + (select count(*) from delivered) + (select count(*) from mailed) + (select count(*) from reverted)
       + (select count(*) from paused) into ended;
  begin
    select count(*) into jobs from graphile_worker.reschedule_jobs(
      array(select j.id from graphile_worker.jobs j where j.run_at > p_now + longest_job), run_at => p_now);
  exception when others then
    null;
  end;
  return ended + jobs;
end $$;
create or replace function end_pending_sign_ins() returns trigger language plpgsql as $$
begin
  delete from pending_sign_ins where user_id = new.id;
  return null;
end $$;
create or replace function end_sessions(p_user_id int, p_kept text, p_now timestamptz) returns void language plpgsql as $$
begin
  perform from users u where u.id = p_user_id for no key update;
  update sessions s set revoked_at = p_now where s.user_id = p_user_id and s.revoked_at is null and s.id::text is distinct from p_kept;
  delete from pending_sign_ins p where p.user_id = p_user_id;
end $$;
create or replace function end_unit(p_case reconciliation_cases, p_now timestamptz) returns void language plpgsql as $$
declare
  member licenses;
  ended int := 0;
begin
  perform lock_unit(p_case.license_id);
  for member in
    select * from licenses_of_unit(p_case.license_id) order by id
  loop
    if member.open_operation_id is not null or member.updated_at > p_case.last_seen_at then
      raise exception 'license % has changed', member.id using errcode = 'LD001';
    end if;
    continue when member.terminated_at is not null;
    update licenses set terminated_at = p_now, updated_at = p_now where id = member.id;
    update bundle_instances set terminated_at = p_now where id = member.bundle_instance_id and terminated_at is null;
    perform emit_license_event(member.id, 'license.terminated', null, p_case.operation_id, p_now);
    ended := ended + 1;
  end loop;
  if ended = 0 then raise exception 'the license has already ended' using errcode = 'LD001'; end if;
end $$;
create or replace function end_unprovisioned(
  p_case_id int, p_fingerprint text, p_refund bigint, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, case when p_refund is null then 'adopted' else 'refunded' end,
                                            case when p_refund is null then 'adopt' else 'refund' end, p_actor, p_reason, p_now, p_request_id);
  part record;
  refunded bigint := 0;
begin
  perform end_unit(closed, p_now);
  if p_refund is null then return; end if;
  -- Blocks concurrent refunds of the same charges while they are added up.
  perform from wallets w where w.reseller_id = closed.reseller_id for update;
  for part in select * from charges_of_term(closed.license_id, p_now) loop
    perform refund_operation(part.operation_id, part.amount, 'case:' || closed.id || ':' || part.operation_id, p_reason, p_actor, null, p_now);
    refunded := refunded + part.amount;
  end loop;
  if refunded <> p_refund then raise exception 'the amount has changed' using errcode = 'LD008'; end if;
end $$;
create or replace function forget_mail_links(p_user_id int, p_kinds text[], p_reason text, p_now timestamptz) returns void
language sql as $$
  update mails m set
      secret = null,
      state = case when m.state = 'pending' and m.owner_id is null then 'failed' else m.state end,
      error = case when m.state = 'pending' then p_reason else m.error end,
      send_until = least(m.send_until, p_now)
   where m.user_id = p_user_id and m.secret is not null and (p_kinds is null or m.kind = any (p_kinds))
$$;
create or replace function free_external_id(p_license licenses) returns text language sql stable as $$
  select p_license.external_id
   where not exists (select from licenses l
                      where l.reseller_id = p_license.reseller_id and l.external_id = p_license.external_id
                        and l.terminated_at is null)
$$;
create or replace function has_kept_licenses(p_product_id int) returns boolean language plpgsql as $$
begin
  -- Conflicts with the lock that the foreign key of a new license takes.
  perform from products p where p.id = p_product_id for update;
  return exists (select from licenses l where l.product_id = p_product_id and l.terminated_at is null);
end $$;
create or replace function has_room(p_kind text, p_reseller_id int, p_limit int, p_now timestamptz, p_license_id int default null)
returns boolean language plpgsql as $$
begin
  if p_limit is null then return true; end if;
  perform pg_advisory_xact_lock(hashtext('has_room ' || p_kind), p_reseller_id);
  return p_limit > case p_kind
    when 'api_keys' then (
      select count(*) from api_keys k
       where k.reseller_id = p_reseller_id and k.revoked_at is null and k.license_id is not distinct from p_license_id
         and (k.expires_at is null or k.expires_at > p_now))
    when 'bulk_jobs' then (select count(*) from bulk_jobs j where j.reseller_id = p_reseller_id and j.state <> 'finished')
    when 'top_up_requests' then (select count(*) from top_up_requests t where t.reseller_id = p_reseller_id and t.state = 'requested')
    when 'webhook_endpoints' then (select count(*) from webhook_endpoints e where e.reseller_id = p_reseller_id)
  end;
end $$;
create or replace function hold_money(p_holds jsonb) returns void language plpgsql as $$
declare
  short record;
begin
  perform lock_wallets(p_holds);
  with total as (
    select h.reseller_id, sum(h.hold_amount)::bigint as amount, max(h.currency) filter (where h.currency <> w.currency) as foreign_currency
      from jsonb_to_recordset(p_holds) as h (reseller_id int, currency text, hold_amount bigint)
      join wallets w on w.reseller_id = h.reseller_id
     where h.hold_amount > 0
     group by h.reseller_id
  ), held as (
    update wallets w set held = w.held + t.amount
      from total t
     where w.reseller_id = t.reseller_id and t.foreign_currency is null and not w.suspended and w.posted - w.held >= t.amount
    returning w.reseller_id
  )
  select t.*, w.suspended into short
    from total t join wallets w on w.reseller_id = t.reseller_id
   where t.reseller_id not in (select held.reseller_id from held)
   order by t.reseller_id limit 1;
  if not found then return; end if;
  if short.suspended then raise exception 'reseller % is suspended', short.reseller_id using errcode = 'LD010'; end if;
  perform refuse_short_wallet(short.reseller_id, short.amount, short.foreign_currency);
end $$;
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
create or replace function invite_user(p_user users, p_link jsonb, p_now timestamptz) returns void language sql as $$
  insert into access_links (token_hash, user_id, kind, password_mark, created_at, expires_at)
  values (decode(p_link ->> 'tokenHash', 'hex'), p_user.id, 'invitation', sha256(convert_to(p_user.password_hash, 'UTF8')), p_now,
          (p_link ->> 'until')::timestamptz);
  select queue_mail((p_link ->> 'messageId')::uuid, 'invitation', p_user,
                    jsonb_build_object('name', p_user.name, 'role', p_user.role,
                                       'organization', (select r.name from resellers r where r.id = p_user.reseller_id)),
                    decode(p_link ->> 'secret', 'hex'), (p_link ->> 'until')::timestamptz, null, p_now)
   where p_link ->> 'secret' is not null;
$$;
create or replace function is_last_owner(p_user_id int) returns boolean language plpgsql as $$
declare
  group_id int := (select u.reseller_id from users u where u.id = p_user_id);
begin
  perform from users u where u.role = 'owner' and u.reseller_id is not distinct from group_id order by u.id for update;
  return exists (select from users u where u.id = p_user_id and u.role = 'owner' and u.disabled_at is null)
     and not exists (
       select from users u
        where u.role = 'owner' and u.reseller_id is not distinct from group_id and u.disabled_at is null and u.id <> p_user_id
     );
end $$;
create or replace function license_facts(p_license_id int) returns jsonb language sql stable as $$
  select coalesce((
    select jsonb_build_object('license_id', 'lic_' || l.id, 'type', p.slug,
                              'server', coalesce(nullif(l.hostname, ''), l.ip_address))
      from licenses l join products p on p.id = l.product_id where l.id = p_license_id), '{}')
$$;
create or replace function license_search_tokens(
  reseller_id int, id int, key text, ip_address text, search_words text, product_id int, bundle_instance_id int, external_id text,
  customer text[], tags text[]
) returns tsvector
language plpgsql immutable strict parallel safe
as $$
declare
  shard text := to_hex(reseller_id) || ':' || to_hex(id >> 13) || ':';
  tokens text[] := array[
    shard || left(lower(key), 4), shard || left(regexp_replace(lower(key), '^lic-', ''), 20), shard || ip_address,
    shard || '#' || id, shard || '@' || product_id];
  words text[] := string_to_array(search_words, e'\x01');
  token text := '';
begin
  if bundle_instance_id <> 0 then tokens := tokens || (shard || '%' || bundle_instance_id); end if;
  if external_id <> '' then tokens := tokens || (shard || left(lower(external_id), 20)); end if;
  for i in reverse cardinality(words)..2 loop
    token := left(split_part(words[i] || token, e'\x02', 1), 20);
    tokens := tokens || (shard || token);
  end loop;
  foreach token in array customer loop
    if token <> '' then tokens := tokens || (shard || '&' || lower(token)); end if;
  end loop;
  foreach token in array tags loop
    tokens := tokens || (shard || '+' || token);
  end loop;
  return array_to_tsvector(tokens);
end
$$;
create or replace function license_search_words(hostname text, notes text, variadic labels text[] default '{}') returns text
language plpgsql immutable strict parallel safe
as $$
declare
  texts text := translate(hostname, e'\x01\x02', '  ') || e'\x02' || translate(notes, e'\x01\x02', '  ');
  label text;
begin
  foreach label in array labels loop
    if label <> '' then texts := texts || e'\x02' || translate(label, e'\x01\x02', '  '); end if;
  end loop;
  return regexp_replace(
    translate(lower(normalize(texts, nfc)), 'ς', 'σ'),
    '[^\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', e'\x01\\&', 'g');
end
$$;
create or replace function licenses_of_operations(p_operations jsonb) returns int[] language plpgsql stable as $$
declare
  ids int[] := array(select o.license_id from jsonb_to_recordset(p_operations) as o (license_id int) where o.license_id is not null);
begin
  if p_operations @? '$[*] ? (@.bundle_instance_id != null)' then
    ids := ids || array(select m.id from jsonb_to_recordset(p_operations) as o (bundle_instance_id int)
                          join licenses m on m.bundle_instance_id = o.bundle_instance_id);
  end if;
  return ids;
end $$;
create or replace function licenses_of_unit(p_license_id int) returns setof licenses language sql stable as $$
  select m.* from licenses l join licenses m on m.id = l.id or m.bundle_instance_id = l.bundle_instance_id
   where l.id = p_license_id order by m.id
$$;
create or replace function link_audit_entry() returns trigger language plpgsql as $$
declare
  last audit_links;
begin
  perform pg_advisory_xact_lock(hashtext('link_audit_entry'));
  select * into last from audit_links order by position desc limit 1;
  insert into audit_links (position, entry_id, hash)
  values (coalesce(last.position, 0) + 1, new.id,
          sha256(coalesce(last.hash, '') || convert_to(audit_entry_text(new), 'UTF8')));
  return null;
end $$;
create or replace function link_idempotency_keys(p_holds jsonb) returns void language plpgsql as $$
declare
  linked int;
begin
  update idempotency_records i set operation_id = h.id
    from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, idempotency_key text, key_token uuid)
   where i.reseller_id = h.reseller_id and i.key = h.idempotency_key and i.lease_token = h.key_token
     and (i.operation_id is null
          or exists (select from operations o where o.id = i.operation_id and o.reseller_id = i.reseller_id and o.state = 'rejected'));
  get diagnostics linked = row_count;
  if linked <> jsonb_array_length(jsonb_path_query_array(p_holds, '$[*].idempotency_key')) then
    raise exception 'another request has claimed the idempotency key' using errcode = 'LD007';
  end if;
end $$;
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
create or replace function lock_free_wallets(p_list jsonb, p_waits boolean) returns int[] language plpgsql as $$
declare
  resellers int[] := array(select l.reseller_id from jsonb_to_recordset(p_list) as l (reseller_id int));
  free int[];
begin
  if p_waits then
    begin
      perform lock_wallets(p_list);
      return '{}';
    exception when lock_not_available then
      null;
    end;
  end if;
  free := array(select w.reseller_id from wallets w where w.reseller_id = any (resellers) for no key update skip locked);
  return array(select w.reseller_id from wallets w where w.reseller_id = any (resellers) and w.reseller_id <> all (free));
end $$;
create or replace function lock_holds(p_holds jsonb) returns void language plpgsql as $$
begin
  -- First, because `set_spending_limit` locks operations after its keys.
  if p_holds @? '$[*] ? (@.actor starts with "key:")' then
    perform from api_keys k
      where k.id in (select substring(h.actor from '^key:([0-9]+)$')::int from jsonb_to_recordset(p_holds) as h (actor text))
      order by k.id for key share;
  end if;
  -- Serializes operations on an address or external id. With the constraints alone, two of them could deadlock, and that
  -- error does not name what they share.
  if p_holds @? '$[*] ? (exists (@.new_licenses) || exists (@.claims))' then
    perform pg_advisory_xact_lock(shared.space, shared.name)
       from (select distinct named.space, named.name
               from jsonb_to_recordset(p_holds) as h (reseller_id int, new_licenses jsonb, claims jsonb)
              cross join jsonb_to_recordset(coalesce(h.new_licenses, '[]') || coalesce(h.claims, '[]')) as l (
                      license_id int, product_id int, ip_address text, external_id text)
              cross join lateral (values
                      (coalesce(l.product_id, (select o.product_id from licenses o
                                                where o.id = l.license_id and o.reseller_id is not distinct from h.reseller_id)),
                       hashtext(l.ip_address)),
                      (h.reseller_id, hashtext('external_id ' || l.external_id))) named (space, name)
              where named.name is not null
              order by 1, 2) shared;
  end if;
  if p_holds @? '$[*] ? (@.bundle_instance_id != null)' then
    perform from jsonb_to_recordset(p_holds) as h (reseller_id int, bundle_instance_id int)
       join bundle_instances b on b.id = h.bundle_instance_id and b.reseller_id is not distinct from h.reseller_id
      order by b.id for no key update of b;
  end if;
  if p_holds @? '$[*].lock_licenses' then
    perform from jsonb_to_recordset(p_holds) as h (reseller_id int, lock_licenses jsonb)
      cross join jsonb_to_recordset(h.lock_licenses) as seen (id int)
       join licenses l on l.id = seen.id and l.reseller_id is not distinct from h.reseller_id
      order by l.id for no key update of l;
  end if;
end $$;
create or replace function lock_settlements(p_settlements jsonb) returns jsonb language plpgsql as $$
declare
  settled jsonb;
  ids uuid[];
  licenses int[];
begin
  select jsonb_agg(to_jsonb(locked) order by locked.place), array_agg(locked.id) into settled, ids
    from (select distinct on (o.id) s.place, o.id, o.reseller_id, o.kind, o.license_id, o.bundle_instance_id, o.hold_amount,
                 case when s.succeeded then o.price else 0 end as charged, o.actor, o.spending_key_id is not null as limited,
                 case when s.succeeded then o.plan -> 'onSuccess' when s.unsent then (o.plan -> 'onRejection') - 'events'
                      else o.plan -> 'onRejection' end as effects,
                 s."references", s."failureMessage" as failure_message, s.succeeded, s.reconciled, s.now
            from (select s.* from jsonb_to_recordset(p_settlements) as s (
                    place int, id uuid, "resellerId" int, token uuid, succeeded boolean, unsent boolean, "failureMessage" text,
                    "references" jsonb, reconciled boolean, now timestamptz)
                   order by s.id, s.place) s
           -- Tests `state`: a condition on `settled_at` could read the index of open operations, which has an entry for every
           -- operation since it was last vacuumed.
           cross join lateral (
             select o.* from operations o
              where o.id = s.id and o.reseller_id is not distinct from s."resellerId" and o.lease_token = s.token
                and o.state in ('held', 'sent', 'unknown')
                for no key update) o
           order by o.id, s.place) locked;
  licenses := licenses_of_operations(settled);
  -- A bundle of which only a member changes, too: `apply_effects` writes its price.
  if settled @? '$[*] ? (@.bundle_instance_id != null || exists (@.effects.licenses[*].renewalPriceChange))' then
    perform from bundle_instances b
      where b.id = any (array(select i.id from bundle_instances i where i.open_operation_id = any (ids)
                              union all
                              select l.bundle_instance_id from licenses l where l.id = any (licenses) and l.open_operation_id = any (ids)))
      order by b.id for no key update;
  end if;
  perform from licenses l where l.id = any (licenses) and l.open_operation_id = any (ids) order by l.id for no key update;
  return settled;
end $$;
create or replace function lock_unit(p_license_id int) returns void language plpgsql as $$
begin
  perform from bundle_instances b where b.id = (select l.bundle_instance_id from licenses l where l.id = p_license_id) for no key update;
  perform from licenses l where l.id in (select u.id from licenses_of_unit(p_license_id) u) order by l.id for no key update;
end $$;
create or replace function lock_wallets(p_list jsonb) returns void language plpgsql as $$
begin
  perform from wallets w
   where w.reseller_id = any (array(select l.reseller_id from jsonb_to_recordset(p_list) as l (reseller_id int)))
   order by w.reseller_id for no key update;
end $$;
create or replace function mark_operation_unknown(
  p_id uuid, p_reseller_id int, p_token uuid, p_message text, p_ask_after interval, p_now timestamptz
) returns void language plpgsql as $$
begin
  update operations o
     set state = 'unknown', failure_message = p_message, owner_id = null, ask_at = clock_timestamp() + p_ask_after
   where o.id = p_id and o.reseller_id = p_reseller_id and o.lease_token = p_token and o.state in ('held', 'sent');
  if not found then return; end if;
  perform from wallets w where w.reseller_id = p_reseller_id and w.low_balance_threshold is not null for no key update;
  if found then perform emit_low_balance(array[p_reseller_id], p_now); end if;
end $$;
create or replace function mark_operations_sent(p_marks jsonb) returns setof uuid language plpgsql
set plan_cache_mode to force_generic_plan set join_collapse_limit to 1 set from_collapse_limit to 1 set cpu_tuple_cost to 10
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
begin
  return query
    update operations o set state = 'sent', sent_at = m.now, attempt = o.attempt + 1
      -- Their state is a column of the list: few operations are held, and a condition on that could start from them.
      from (select m.*, 'held'::operation_state as state
              from jsonb_to_recordset(p_marks) as m (id uuid, reseller_id int, token uuid, now timestamptz) offset 0) m
     where o.id = m.id and o.reseller_id is not distinct from m.reseller_id and o.lease_token = m.token and o.state = m.state
    returning o.lease_token;
end $$;
create or replace function may_lose_factor(p_user_id int, p_admins_need_factor boolean) returns boolean language plpgsql as $$
begin
  return not coalesce((select r.requires_second_factor from users u join resellers r on r.id = u.reseller_id where u.id = p_user_id),
                      p_admins_need_factor)
    or (select count(*) from passkeys p where p.user_id = p_user_id)
       + (select count(*) from totp_factors t where t.user_id = p_user_id and t.confirmed_at is not null) > 1;
end $$;
create or replace function open_sandbox(p_reseller_id int, p_play_money bigint, p_actor text, p_now timestamptz)
returns int language plpgsql as $$
declare
  opened int;
begin
  insert into resellers (name, email, currency, expiring_soon_days, renew_ahead_days, price_notice_days, max_increase_percent,
                         sandbox_of, created_at)
  select r.name, r.email, r.currency, r.expiring_soon_days, r.renew_ahead_days, r.price_notice_days, r.max_increase_percent,
         r.id, p_now
    from resellers r where r.id = p_reseller_id
  on conflict (sandbox_of) where sandbox_closed_at is null do nothing
  returning id into opened;
  if opened is null then
    select id into opened from resellers where sandbox_of = p_reseller_id and sandbox_closed_at is null;
    if opened is null then
      raise exception 'there is no reseller %', p_reseller_id using errcode = 'foreign_key_violation';
    end if;
    return opened;
  end if;
  insert into wallets (reseller_id, currency, minor_digits)
  select opened, w.currency, w.minor_digits from wallets w where w.reseller_id = p_reseller_id;
  perform post_ledger_entry(opened, 'top_up', 'top_ups', p_play_money, null, 'Play money', p_actor, null, null, p_now);
  return opened;
end $$;
create or replace function operations_of_term(p_license_id int, p_at timestamptz) returns setof operations
language sql stable rows 10 as $$
  with unit as (
    select id, bundle_instance_id, terminated_at from licenses_of_unit(p_license_id)
  ), about as (
    select o.id from unit join operations o on o.license_id = unit.id
    union
    select o.id from unit join operations o on o.bundle_instance_id = unit.bundle_instance_id
  ), done as (
    select o.* from about join operations o on o.id = about.id where o.state = 'succeeded'
  )
  select * from done
   where settled_at >= coalesce((select max(d.settled_at) from done d
                                  where d.kind in ('license_register', 'license_renew', 'bundle_register', 'bundle_renew')
                                    and bought_from(d) <= (select coalesce(terminated_at, p_at) from unit where id = p_license_id)),
                                '-infinity')
   order by settled_at desc, created_at desc
$$;
create or replace function paid_for_term(p_license_id int, p_at timestamptz) returns bigint language sql stable as $$
  select coalesce(sum(c.amount), 0)::bigint from charges_of_term(p_license_id, p_at) c
$$;
create or replace function paid_terms_ahead(p_license_id int, p_now timestamptz)
returns table (id int, months int, starts_at timestamptz, ends_at timestamptz, paid_until timestamptz) language sql stable as $$
  select term.id, term.months, term.starts_at, term.ends_at, term.paid_until
    from (select t.id, t.months, t.starts_at, t.ends_at as paid_until,
                 least(t.ends_at, min(t.starts_at) over (order by t.id desc rows between unbounded preceding and 1 preceding), l.expires_at) as ends_at
            from paid_terms t join licenses l on l.id = t.license_id where t.license_id = p_license_id) term
   where term.ends_at > greatest(term.starts_at, p_now)
   order by term.id
$$;
create or replace function partitions_of(p_table text)
returns table (name text, starts_at timestamptz, ends_at timestamptz) language sql stable as $$
  select p.relname, b.bounds[1]::timestamptz, b.bounds[2]::timestamptz
    from pg_inherits i
    join pg_class p on p.oid = i.inhrelid
   cross join regexp_match(pg_get_expr(p.relpartbound, p.oid), 'FROM \(''(.+)''\) TO \(''(.+)''\)') b (bounds)
   where i.inhparent = p_table::regclass and b.bounds is not null
$$;
create or replace function place_holds(p_holds jsonb)
returns table (place int, license_ids int[], bundle_instance_id int, spendable bigint) language plpgsql as $$
#variable_conflict use_column
begin
  -- Draws the ids of what it creates, so that no second write has to name it. Free operations come without a currency.
  insert into operations (id, kind, state, reseller_id, license_id, bundle_instance_id, hold_amount, price, currency,
                          plan, actor, spending_key_id, request_id, owner_id, lease_token, created_at)
  select h.id, h.kind::operation_kind, 'held', h.reseller_id,
         case when h.new_licenses is not null and h.new_instance is null then nextval('licenses_id_seq') else h.license_id end,
         case when h.new_instance is not null then nextval('bundle_instances_id_seq') else h.bundle_instance_id end,
         h.hold_amount, h.price, coalesce(h.currency, (select w.currency from wallets w where w.reseller_id = h.reseller_id)),
         h.plan, h.actor,
         (select coalesce(k.first_id, k.id) from api_keys k
           where k.id = substring(h.actor from '^key:([0-9]+)$')::int and k.reseller_id = h.reseller_id and k.spending_limit is not null),
         h.request_id, h.owner_id, h.lease_token, h.created_at
    from jsonb_to_recordset(p_holds) as h (
           id uuid, kind text, reseller_id int, license_id int, bundle_instance_id int, hold_amount bigint, price bigint,
           currency text, plan jsonb, actor text, request_id text, owner_id uuid, lease_token uuid, created_at timestamptz,
           new_licenses jsonb, new_instance jsonb);

  if p_holds @? '$[*].new_licenses' then perform create_pending_licenses(p_holds); end if;
  if p_holds @? '$[*] ? (exists (@.lock_licenses) || @.bundle_instance_id != null)' then perform lock_for_change(p_holds); end if;
  if p_holds @? '$[*].item_token' then perform require_running_items(p_holds); end if;
  if p_holds @? '$[*].claims' then
    insert into address_claims (sandbox_id, reseller_id, license_id, product_id, ip_address, valid_from, valid_until, operation_id)
    select sandbox_of(h.reseller_id), h.reseller_id, c.license_id, l.product_id, c.ip_address, c.valid_from, c.valid_until, h.id
      from jsonb_to_recordset(p_holds) as h (place int, id uuid, reseller_id int, claims jsonb)
     cross join jsonb_to_recordset(h.claims) as c (license_id int, ip_address text, valid_from timestamptz, valid_until timestamptz)
      left join licenses l on l.id = c.license_id and l.reseller_id is not distinct from h.reseller_id
     order by h.place, l.product_id;
  end if;
  if p_holds @? '$[*].plan.coreCredits' then
    insert into core_credits (lot_id, reseller_id, operation_id, cores, credited_from, amount)
    select c."lotId", h.reseller_id, h.id, c.cores, c."creditedFrom", c.amount
      from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, plan jsonb),
           jsonb_to_recordset(h.plan -> 'coreCredits') as c ("lotId" int, cores int, "creditedFrom" timestamptz, amount bigint);
  end if;
  if p_holds @? '$[*].idempotency_key' then perform link_idempotency_keys(p_holds); end if;

  -- The wallets come last: every purchase of their resellers waits for these rows.
  perform hold_money(p_holds);
  -- After the wallets, because other charges of the key wait for them, too, and refunds and credits of the same charge.
  if p_holds @? '$[*] ? (@.actor starts with "key:")' then
    perform refuse_overspending(o)
       from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, hold_amount bigint, actor text)
       join operations o on o.id = h.id and o.reseller_id is not distinct from h.reseller_id
      where h.hold_amount > 0 and h.actor like 'key:%';
  end if;
  if p_holds @? '$[*] ? (exists (@.plan.coreCredits) || @.price starts with "-")' then
    perform require_core_credits(o)
       from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, price bigint, plan jsonb)
       join operations o on o.id = h.id and o.reseller_id is not distinct from h.reseller_id
      where h.price < 0 or h.plan ? 'coreCredits';
  end if;

  return query
    select h.place,
           case when h.new_licenses is null then array(select seen.id from jsonb_to_recordset(h.lock_licenses) as seen (id int))
                when o.bundle_instance_id is null then array[o.license_id]
                else array(select l.id from licenses l where l.bundle_instance_id = o.bundle_instance_id order by l.id) end,
           o.bundle_instance_id,
           (w.posted - w.held + coalesce(sum(h.hold_amount) over later, 0))::bigint
      from jsonb_to_recordset(p_holds) as h (place int, id uuid, reseller_id int, hold_amount bigint, new_licenses jsonb, lock_licenses jsonb)
      join operations o on o.id = h.id and o.reseller_id is not distinct from h.reseller_id
      join wallets w on w.reseller_id = h.reseller_id
    window later as (partition by h.reseller_id order by h.place rows between 1 following and unbounded following);
end $$;
create or replace function post_ledger_entry(
  p_reseller_id int,
  p_kind ledger_entry_kind,
  p_counter_account ledger_account,
  p_amount bigint,
  p_reference text,
  p_note text,
  p_actor text,
  p_operation_id uuid,
  p_event jsonb,
  p_now timestamptz,
  p_method payment_method default null,
  p_audit jsonb default null
) returns setof ledger_entries language plpgsql as $$
declare
  wallet wallets;
begin
  loop
    update wallets w set posted = w.posted + p_amount
     where w.reseller_id = p_reseller_id and w.posted + p_amount - w.held >= 0
    returning * into wallet;
    exit when found;
    perform refuse_short_wallet(p_reseller_id, -p_amount, null);
  end loop;
  perform emit_low_balance(array[p_reseller_id], p_now);
  if p_event is not null then
    insert into events (id, reseller_id, kind, data, occurred_at)
    values ((p_event ->> 'id')::uuid, p_reseller_id, p_event ->> 'kind', p_event -> 'data', p_now);
  end if;
  if p_audit is not null then
    perform write_audit_entry(p_actor, p_audit ->> 'action', p_reseller_id,
                              coalesce('operation:' || p_operation_id, 'wallet:' || p_reseller_id), p_note, p_audit -> 'data', p_now,
                              coalesce(p_audit ->> 'requestId', ''));
  end if;
  return query
    insert into ledger_entries (reseller_id, counter_account, kind, amount, posted_after, operation_id, subject_label, reference, method,
                                note, actor, created_at)
    values (p_reseller_id, p_counter_account, p_kind, p_amount, wallet.posted, p_operation_id,
            (select subject.label
               from operations o cross join lateral subject_label(o.reseller_id, o.license_id, o.bundle_instance_id) as subject (label)
              where o.id = p_operation_id and o.reseller_id = p_reseller_id),
            p_reference, p_method, p_note, p_actor, p_now)
    returning *;
end $$;
create or replace function postpone_bulk_item(p_item_id int, p_token uuid, p_code text, p_message text, p_now timestamptz)
returns void language plpgsql as $$
declare
  item bulk_job_items;
begin
  select i.* into item from bulk_jobs j join bulk_job_items i on i.job_id = j.id
   where i.id = p_item_id and i.state = 'running' and j.lease_token = p_token for update of j;
  if not found then return; end if;
  -- Other rejections since the item was last postponed were learned by reconciliation.
  delete from operations o
   where p_code in ('provider_unavailable', 'provider_busy') and o.created_at >= item.ended_at and (o.license_id = item.license_id or o.bundle_instance_id = item.bundle_instance_id) and o.reseller_id = item.reseller_id
     and o.request_id = 'bulk:' || item.id || ':undo' and o.state = 'rejected' and o.reconciled_at is null;
  perform postpone_bulk_revert(item.id, p_code, p_message, p_now);
end $$;
create or replace function postpone_bulk_revert(p_item_id int, p_code text, p_message text, p_now timestamptz) returns void language sql as $$
  update bulk_job_items i set
      state = case when t.is_tried_again then 'succeeded' else 'failed' end::bulk_item_state,
      error_code = p_code,
      error_message = case when t.is_tried_again then 'Not reverted yet: ' when i.revert_at is null then 'Not reverted: '
                           else 'Not reverted within a day: ' end || p_message,
      revert_at = least(t.last_at, p_now + greatest(interval '1 minute', least(p_now - (t.last_at - interval '1 day'), interval '1 hour'))),
      revert_until = t.last_at,
      ended_at = p_now
    from (select o.id, coalesce(o.revert_until, p_now + interval '1 day') as last_at,
                 o.revert_until is null or (o.revert_at is not null and p_now < o.revert_until) as is_tried_again
            from bulk_job_items o where o.id = p_item_id) t
   where i.id = t.id
$$;
create or replace function provider_cost(op operations) returns table (cost bigint, uncosted bigint) language sql stable rows 1 as $$
  select core.cost, core.uncosted from core_change_cost(op) core where op.kind = 'license_change_core'
  union all
  select cycles.cost, case when cycles.cost is null then op.price else 0 end
    from (select case
                   when count(*) = 0 or count(*) <> count(*) filter (where c.cost_currency = op.currency) then null
                   else sum(c.cost_price + case when op.kind in ('license_register', 'bundle_register') then coalesce(c.cost_setup_fee, 0) else 0 end
                            + coalesce(c.cost_per_core, 0) * greatest(coalesce(l.cores, 1) - 1, 0))::bigint
                 end as cost
            from unnest(case when op.kind in ('bundle_register', 'bundle_renew')
                             then array(select l.id from licenses l
                                         where l.bundle_instance_id = op.bundle_instance_id and l.reseller_id is not distinct from op.reseller_id)
                             else array[op.license_id] end) charged (license_id)
            join licenses l on l.id = charged.license_id and l.reseller_id is not distinct from op.reseller_id
            left join billing_cycles c on c.id = coalesce(l.cycle_id, (
                   select m.id from bundle_instances i
                     join billing_cycles b on b.id = i.cycle_id
                     join billing_cycles m on m.product_id = l.product_id and m.months = b.months
                    where i.id = l.bundle_instance_id and i.reseller_id is not distinct from l.reseller_id))) cycles
   where op.kind <> 'license_change_core'
$$;
create or replace function queue_backlog(p_now timestamptz, out due int, out age double precision) language plpgsql stable as $$
begin
  select count(*)::int, coalesce(extract(epoch from p_now - min(j.run_at)), 0) into due, age
    from graphile_worker.jobs j where j.run_at <= p_now and j.locked_at is null and j.attempts < j.max_attempts;
exception when undefined_table or undefined_column or invalid_schema_name then
  due := 0;
  age := 0;
end $$;
create or replace function queue_change_mails() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'webhook_endpoints' then
    perform queue_mails('webhook_disabled', new.reseller_id, jsonb_build_object('id', 'whe_' || new.id, 'url', new.url,
                        'reason', new.disabled_reason), new.disabled_at);
    return null;
  end if;
  perform queue_mails(
      case when tg_op = 'INSERT' then 'top_up_requested' else 'top_up_decided' end,
      case when tg_op = 'INSERT' then null else new.reseller_id end,
      jsonb_build_object('reseller', r.name, 'requested', to_major(new.amount, w.minor_digits)::text,
                         'amount', to_major(coalesce(new.credited_amount, new.amount), w.minor_digits)::text, 'currency', w.currency,
                         'reference', new.reference, 'approved', new.state = 'approved', 'note', new.decision_note),
      coalesce(new.decided_at, new.created_at))
     from resellers r join wallets w on w.reseller_id = r.id where r.id = new.reseller_id;
  return null;
end $$;
create or replace function queue_digest_mails(p_now timestamptz) returns int language sql as $$
  with happened as (
    -- A license once, by its latest reason. What somebody requested failed before their eyes, and is not retried.
    (select distinct on (e.reseller_id, e.data ->> 'license_id', date_bin('15 minutes', e.occurred_at, timestamptz '2000-01-01 07:00+00'))
           'renewal_failed' as kind, e.reseller_id, e.occurred_at as at, e.sequence as id,
           e.data || jsonb_build_object('product', p.name, 'expires_at', l.expires_at) as data,
           -- A bundle's price is on each of its licenses.
           case when e.data ->> 'reason' = 'insufficient_balance' and not exists (
                  select from licenses m where m.bundle_instance_id = l.bundle_instance_id and m.id < l.id)
                then (e.data ->> 'price')::numeric end as unpaid, 0 as rank,
           interval '15 minutes' as length, interval '1 minute' as margin
      from events e join licenses l on l.id = e.license_id join products p on p.id = l.product_id
     where e.kind = 'license.renewal_failed' and not e.data ? 'requested' and e.test_endpoint_id is null
       and e.occurred_at >= p_now - interval '1 day'
     order by e.reseller_id, e.data ->> 'license_id', date_bin('15 minutes', e.occurred_at, timestamptz '2000-01-01 07:00+00'),
              e.occurred_at desc, e.sequence desc)
    union all
    -- A license once a day, by what was said of its price if anything was.
    (select distinct on (e.reseller_id, e.data ->> 'license_id', date_bin('1 day', e.occurred_at, timestamptz '2000-01-01 07:00+00'))
            'expiring_soon', e.reseller_id, e.occurred_at, e.sequence, e.data || jsonb_build_object('product', p.name), null,
            -- Expires, expires because of the price, renews at a higher price, renews.
            case when not (e.data ->> 'auto_renew')::boolean then 0 when e.data -> 'price' is null then 3
                 when e.data ->> 'charged_from' is null then 1 else 2 end,
            interval '1 day', interval '1 minute'
       from events e join licenses l on l.id = e.license_id join products p on p.id = l.product_id
      where e.kind = 'license.expiring_soon' and e.test_endpoint_id is null
        and e.occurred_at >= date_bin('1 day', p_now, timestamptz '2000-01-01 07:00+00') - interval '1 day'
      order by e.reseller_id, e.data ->> 'license_id', date_bin('1 day', e.occurred_at, timestamptz '2000-01-01 07:00+00'),
               e.data -> 'price' is null, e.occurred_at desc, e.sequence desc)
    union all
    select 'new_cases', null, c.first_seen_at, c.id,
           jsonb_strip_nulls(jsonb_build_object('id', c.id, 'kind', c.kind, 'provider', c.provider,
                                                'license', 'lic_' || c.license_id, 'reseller', r.name)), null, 0,
           -- Dated by the start of their comparison, which may take a while.
           interval '15 minutes', interval '15 minutes'
      from reconciliation_cases c left join resellers r on r.id = c.reseller_id
     where c.resolved_at is null and c.first_seen_at >= p_now - interval '1 day'
  ), stretches as (
    select h.kind, h.reseller_id, date_bin(h.length, h.at, timestamptz '2000-01-01 07:00+00') as begun_at, h.length, h.margin,
           count(*)::int as count, to_jsonb((array_agg(h.data order by h.rank, h.data ->> 'expires_at', h.at, h.id))[1:20]) as items,
           count(*) filter (where h.data ->> 'reason' = 'insufficient_balance') as unpaid_count,
           sum(h.unpaid) as unpaid, min(h.data ->> 'currency') as currency
      from happened h group by 1, 2, 3, 4, 5
  ), queued as (
    select queue_mail(gen_random_uuid(), s.kind, u, jsonb_build_object('count', s.count, 'items', s.items)
                      || case when s.unpaid_count = 0 then '{}' else jsonb_build_object('unpaid',
                           jsonb_build_object('count', s.unpaid_count, 'price', s.unpaid, 'currency', s.currency)) end, null, null,
                      s.kind || ':' || u.id || ':' || extract(epoch from s.begun_at)::bigint, p_now)
      from stretches s join users u on u.reseller_id is not distinct from s.reseller_id and wants_mail(s.kind, u)
     -- Transactions that have begun in a stretch must be over.
     where s.begun_at + s.length + s.margin <= p_now and u.created_at < s.begun_at + s.length
       and not exists (select from mails m where m.once_key = s.kind || ':' || u.id || ':' || extract(epoch from s.begun_at)::bigint)
  )
  select count(*)::int from queued
$$;
create or replace function queue_mail(
  p_message_id uuid, p_kind text, p_user users, p_data jsonb, p_secret bytea, p_secret_until timestamptz, p_once_key text,
  p_now timestamptz
) returns void language sql as $$
  insert into mails (message_id, kind, user_id, recipient, data, secret, secret_until, once_key, next_attempt_at, send_until, created_at)
  select p_message_id, p_kind, p_user.id, p_user.email, p_data, p_secret, p_secret_until, p_once_key, p_now,
         least(p_now + interval '1 day', p_secret_until), p_now
   where p_user.disabled_at is null
  on conflict (once_key) do nothing
$$;
create or replace function queue_mails(p_kind text, p_reseller_id int, p_data jsonb, p_now timestamptz) returns void language sql as $$
  select queue_mail(gen_random_uuid(), p_kind, u, p_data, null, null, null, p_now)
    from users u where u.reseller_id is not distinct from p_reseller_id and wants_mail(p_kind, u) order by u.id
$$;
create or replace function queue_webhook_deliveries() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (event_id, endpoint_id, reseller_id, next_attempt_at, created_at)
  select n.id, e.id, n.reseller_id, n.occurred_at, n.occurred_at
    from new_events n
    join webhook_endpoints e on e.reseller_id = n.reseller_id
   where e.paused_at is null and e.disabled_at is null
     and (e.pending_since is null or n.id = e.challenge_event_id or n.occurred_at < e.pending_since + interval '24 hours')
     and case when n.test_endpoint_id is null then cardinality(e.kinds) = 0 or n.kind = any (e.kinds) else e.id = n.test_endpoint_id end
   order by n.sequence, e.id
     for key share of e;
  if found then perform wake_webhook_delivery(); end if;
  return null;
end $$;
create or replace function record_paid_terms() returns trigger language plpgsql as $$
declare
  cycle_months int := (select c.months from billing_cycles c
                        where c.id = coalesce(new.cycle_id, (select b.cycle_id from bundle_instances b where b.id = new.bundle_instance_id and b.reseller_id = new.reseller_id)));
begin
  if exists (select from paid_terms t where t.license_id = new.id and t.reseller_id = new.reseller_id) then
    insert into paid_terms (license_id, reseller_id, months, starts_at, ends_at)
    select new.id, new.reseller_id, cycle_months, greatest(old.expires_at, new.anchored_at), new.expires_at
     where new.expires_at > greatest(old.expires_at, new.anchored_at);
    return null;
  end if;
  insert into paid_terms (license_id, reseller_id, months, starts_at, ends_at)
  select new.id, new.reseller_id, cycle_months, term.starts_at, least(term.ends_at, new.expires_at)
    from (select (new.anchored_at at time zone 'UTC' + make_interval(months => number * cycle_months)) at time zone 'UTC' as starts_at,
                 (new.anchored_at at time zone 'UTC' + make_interval(months => (number + 1) * cycle_months)) at time zone 'UTC' as ends_at
            from generate_series(0, (extract(year from new.expires_at) - extract(year from new.anchored_at) + 1)::int * 12 / cycle_months) number) term
   where term.starts_at < new.expires_at
   order by term.starts_at;
  return null;
end $$;
create or replace function record_webhook_attempts(p_results jsonb) returns table (endpoint_id int, first_failed_at timestamptz) language sql as $$
  with results as materialized (
    select r.*, not r.challenge and r.challenge_event_id is distinct from e.challenge_event_id as redirected
      from jsonb_to_recordset(p_results) as r (
      delivery_id bigint, endpoint_id int, number int, lease_token uuid, succeeded boolean, duration_ms int, status int, request_headers jsonb,
      response_start text, error text, next_attempt_at timestamptz, ended_at timestamptz, challenge boolean, challenge_event_id uuid)
      left join webhook_endpoints e on e.id = r.endpoint_id
  ), attempts as (
    update webhook_attempts a set
        succeeded = r.succeeded, duration_ms = r.duration_ms, status = r.status, request_headers = r.request_headers,
        response_start = r.response_start, error = r.error
      from results r where a.delivery_id = r.delivery_id and a.number = r.number and a.succeeded is null
  ), endpoints as materialized (
    -- Before their deliveries, as deleting one locks them. Not only for key share: resetting a sandbox updates them first.
    select e.id from webhook_endpoints e where e.id in (select r.endpoint_id from results r) order by e.id for no key update
  ), locked as materialized (
    select d.id from results r join webhook_deliveries d on d.id = r.delivery_id and d.lease_token = r.lease_token
     where (select count(*) from endpoints) >= 0 order by d.id for no key update of d
  ), moved as (
    -- `resent` is set here if a resend was requested while this attempt was in flight.
    update webhook_deliveries d set
        state = case when e.disabled_at is not null and not r.succeeded then 'discarded'
                     when r.challenge and not r.succeeded and d.event_id is distinct from e.challenge_event_id then 'discarded'
                     when d.resent then 'pending' when r.succeeded then 'succeeded' when r.redirected then 'pending'
                     when r.next_attempt_at is null then 'failed' else 'pending' end::webhook_delivery_state,
        failure_count = case when d.resent or r.succeeded or r.redirected then 0 else d.failure_count + 1 end,
        next_attempt_at = case when d.resent then d.next_attempt_at when r.redirected then r.ended_at else coalesce(r.next_attempt_at, d.next_attempt_at) end,
        owner_id = null
      from locked l, results r, webhook_endpoints e
     where d.id = l.id and r.delivery_id = l.id and d.lease_token = r.lease_token and d.state = 'pending' and e.id = d.endpoint_id
    returning d.endpoint_id, r.succeeded, r.ended_at, r.challenge or r.redirected as uncounted
  ), unattempted as (
    select d.endpoint_id from results r join webhook_deliveries d on d.id = r.delivery_id
     where d.next_attempt_at < r.ended_at - interval '1 day'
       and not exists (select from webhook_attempts a
                        where a.endpoint_id = d.endpoint_id and a.started_at between r.ended_at - interval '1 day' and r.ended_at
                          and (a.delivery_id, a.number) <> (r.delivery_id, r.number))
  ), verdicts as (
    select m.endpoint_id, bool_or(m.succeeded) as succeeded, min(m.ended_at) as at from moved m
     where not m.uncounted group by m.endpoint_id
  ), changing as materialized (
    select e.id, v.succeeded, v.at from verdicts v join webhook_endpoints e on e.id = v.endpoint_id
     where v.succeeded = (e.first_failed_at is not null) or v.endpoint_id in (select u.endpoint_id from unattempted u)
     order by e.id for no key update of e
  ), marked as (
    update webhook_endpoints e set first_failed_at = case when c.succeeded then null else c.at end
      from changing c where e.id = c.id
  )
  select e.id, case when c.id is null then e.first_failed_at end
    from verdicts v join webhook_endpoints e on e.id = v.endpoint_id left join changing c on c.id = e.id where not v.succeeded
$$;
create or replace function reference_look(reference text) returns text language sql immutable strict parallel safe
return replace(translate(btrim(regexp_replace(lower(reference), '[^a-z0-9]+', '-', 'g'), '-'), 'oil', '011'), 'm', 'rn');
create or replace function refund_operation(
  p_operation_id uuid,
  p_amount bigint,
  p_reference text,
  p_note text,
  p_actor text,
  p_audit jsonb,
  p_now timestamptz
) returns setof ledger_entries language plpgsql as $$
declare
  op operations;
  amount_left bigint;
begin
  select * into op from operations where id = p_operation_id;
  if not found then return; end if;
  -- Serializes refunds and credits of the operation.
  perform from wallets w where w.reseller_id = op.reseller_id for update;
  amount_left := charge_left(op.id, op.reseller_id);
  if coalesce(p_amount, amount_left) not between 1 and amount_left then
    raise exception 'the amount exceeds the remaining charge' using errcode = 'LD003', detail = amount_left::text;
  end if;
  return query select * from post_ledger_entry(op.reseller_id, 'refund', 'credits', coalesce(p_amount, amount_left), p_reference,
                                               p_note, p_actor, op.id, null, p_now, null, p_audit);
end $$;
create or replace function refunded_for_term(p_license_id int, p_ended_at timestamptz)
returns table (operation_id uuid, amount bigint) language sql stable rows 10 as $$
  select o.id, sum(e.amount)::bigint
    from operations_of_term(p_license_id, p_ended_at) o join ledger_entries e on e.operation_id = o.id
   where e.kind = 'refund' and e.created_at >= p_ended_at
   group by o.id
$$;
create or replace function refuse_change() returns trigger language plpgsql as $$
declare
  dates constant text[] := array['starts_at', 'ends_at', 'credited_from'];
begin
  if tg_op = 'UPDATE' then
    if tg_table_name = 'core_lots' and to_jsonb(new) - 'removed_cores' = to_jsonb(old) - 'removed_cores' then
      if new.removed_cores = (select used.removed_cores from core_lot_use(new.id) used) then return new; end if;
    end if;
    if to_jsonb(new) - dates = to_jsonb(old) - dates and exists (
         select from licenses l
          where l.id = coalesce((to_jsonb(old) ->> 'license_id')::int,
                                (select t.license_id from core_lots t where t.id = (to_jsonb(old) ->> 'lot_id')::int))
            and sandbox_of(l.reseller_id) <> 0)
    then return new; end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
create or replace function refuse_mixed_modes() returns trigger language plpgsql as $$
declare
  is_mixed boolean;
begin
  if tg_table_name = 'resellers' then
    if tg_op = 'UPDATE' then
      raise exception 'a reseller stays in its mode' using errcode = 'LD011';
    elsif new.sandbox_of is not null and sandbox_of(new.sandbox_of) <> 0 then
      raise exception 'a sandbox has no sandbox' using errcode = 'LD011';
    end if;
    return new;
  end if;
  if tg_table_name = 'operations' then
    is_mixed := exists (select from resellers r where r.id = new.reseller_id and r.sandbox_of is not null)
             <> exists (select from providers p where p.name = new.plan ->> 'provider' and p.kind = 'test');
  elsif tg_table_name = 'api_keys' then
    is_mixed := (sandbox_of(new.reseller_id) <> 0) <> starts_with(new.hint, 'lk_test_');
  elsif tg_table_name = 'sessions' then
    is_mixed := sandbox_of(new.acting_as_reseller_id) <> 0;
  else
    is_mixed := sandbox_of(new.reseller_id) <> 0;
  end if;
  if is_mixed then raise exception '% would mix test and live', tg_table_name using errcode = 'LD011'; end if;
  return new;
end $$;
create or replace function refuse_overspending(op operations) returns void language plpgsql as $$
declare
  month_limit bigint;
  spent bigint;
begin
  if op.spending_key_id is null then return; end if;
  select k.spending_limit into month_limit from api_keys k where k.id = substring(op.actor from '^key:([0-9]+)$')::int;
  spent := spent_by_key(op.spending_key_id, op.created_at);
  if spent > month_limit then
    raise exception 'the spending limit is reached' using errcode = 'LD012',
      detail = json_build_object('limit', month_limit::text, 'spent', (spent - op.hold_amount)::text,
                                 'price', op.hold_amount::text, 'currency', op.currency);
  end if;
end $$;
create or replace function refuse_short_wallet(p_reseller_id int, p_price bigint, p_currency text) returns void language plpgsql as $$
declare
  wallet wallets;
  missing bigint;
begin
  select * into strict wallet from wallets w where w.reseller_id = p_reseller_id;
  if wallet.currency <> p_currency then
    raise exception 'a price in % cannot be charged to a wallet in %', p_currency, wallet.currency;
  end if;
  missing := p_price - (wallet.posted - wallet.held);
  if missing > 0 then
    raise exception 'insufficient balance' using errcode = 'LD002',
      detail = json_build_object('price', p_price::text, 'missing', missing::text, 'currency', wallet.currency);
  end if;
end $$;
create or replace function release_dead_processes() returns int language plpgsql as $$
declare
  dead uuid[];
  workers text[];
  job_id int;
begin
  if not pg_try_advisory_xact_lock(hashtext('release_dead_processes')) then return 0; end if;
  with lapsed as (
    select p.id, p.job_workers from processes p
     where p.lease_until <= clock_timestamp() or p.lease_until > clock_timestamp() + interval '10 minutes'
       for update skip locked
  )
  select coalesce(array_agg(l.id), '{}'),
         coalesce((select array_agg(w) from lapsed, unnest(lapsed.job_workers) w), '{}')
    into dead, workers from lapsed l;
  delete from processes p where p.id = any (dead);

  update operations set owner_id = null where id in (
    select o.id from operations o
     where o.settled_at is null and o.owner_id is not null
       and not exists (select from processes p where p.id = o.owner_id) for update skip locked);
  update webhook_deliveries set owner_id = null where id in (
    select d.id from webhook_deliveries d
     where d.owner_id is not null and not exists (select from processes p where p.id = d.owner_id) for update skip locked);
  update mails set owner_id = null where id in (
    select m.id from mails m
     where m.owner_id is not null and not exists (select from processes p where p.id = m.owner_id) for update skip locked);
  update provider_comparisons set owner_id = null where id in (
    select c.id from provider_comparisons c
     where c.finished_at is null and c.owner_id is not null
       and not exists (select from processes p where p.id = c.owner_id) for update skip locked);
  for job_id in
    update bulk_jobs set owner_id = null where id in (
      select j.id from bulk_jobs j
       where j.state <> 'finished' and j.owner_id is not null
         and not exists (select from processes p where p.id = j.owner_id) for update skip locked) returning id
  loop
    perform wake_bulk_job(job_id, clock_timestamp());
  end loop;

  if workers <> '{}' then perform unlock_jobs(workers); end if;
  return cardinality(dead);
end $$;
create or replace function request_email_change(
  p_user_id int, p_old_hash text, p_new_email text, p_new_hash text, p_old jsonb, p_new jsonb, p_actor text, p_now timestamptz,
  p_request_id text
) returns boolean language plpgsql as $$
declare
  person users;
  facts jsonb;
begin
  select * into person from users u where u.id = p_user_id and u.password_hash = p_old_hash and u.disabled_at is null for update;
  if not found then return false; end if;
  perform forget_mail_links(person.id, array['email_change', 'email_change_new'], 'Not sent: another change of the address replaced it.',
                            p_now);
  delete from email_changes c where c.user_id = person.id;
  insert into email_changes (user_id, new_email, new_password_hash, password_mark, old_token_hash, new_token_hash, created_at, expires_at)
  values (person.id, p_new_email, p_new_hash, sha256(convert_to(person.password_hash, 'UTF8')), decode(p_old ->> 'tokenHash', 'hex'),
          decode(p_new ->> 'tokenHash', 'hex'), p_now, (p_new ->> 'until')::timestamptz);
  facts := jsonb_build_object('name', person.name, 'old', person.email, 'new', p_new_email);
  perform queue_mail((p_old ->> 'messageId')::uuid, 'email_change', person, facts, decode(p_old ->> 'secret', 'hex'),
                     (p_old ->> 'until')::timestamptz, null, p_now);
  perform write_audit_entry(p_actor, 'user.request_email_change', person.reseller_id, 'user:' || person.id, '',
                            jsonb_build_object('email', p_new_email), p_now, p_request_id, person.name);
  person.email := p_new_email;
  perform queue_mail((p_new ->> 'messageId')::uuid, 'email_change_new', person, facts, decode(p_new ->> 'secret', 'hex'),
                     (p_new ->> 'until')::timestamptz, null, p_now);
  return true;
end $$;
create or replace function require_core_credits(p_operation operations) returns void language plpgsql as $$
declare
  credited bigint;
  most numeric;
  intact boolean;
  overdrawn boolean;
  charges uuid[];
begin
  -- "offset 0" looks up the lot of each credit, however small the table was when this was planned.
  select coalesce(sum(c.amount), 0),
         sum(lot.amount * c.cores * greatest(0, extract(epoch from lot.ends_at - c.credited_from))
             / (lot.cores * extract(epoch from lot.ends_at - lot.starts_at))),
         bool_and(c.credited_from >= greatest(lot.starts_at, p_operation.created_at) and lot.license_id = p_operation.license_id),
         bool_or(used.reserved_cores > lot.cores or used.credited_amount > lot.amount),
         array_agg(distinct lot.operation_id)
    into credited, most, intact, overdrawn, charges
    from core_credits c cross join lateral (select * from core_lots l where l.id = c.lot_id offset 0) lot
   cross join lateral core_lot_use(lot.id) used
   where c.operation_id = p_operation.id;
  -- Rounded quotients can add up to slightly less than a whole number.
  if intact is not true or credited <> -p_operation.price or credited > floor(most + 0.000001) then
    raise exception 'operation % has invalid core credits', p_operation.id;
  end if;

  if overdrawn or exists (select from unnest(charges) as charge (id) where charge_left(charge.id, p_operation.reseller_id) < 0) then
    raise exception 'a lot or its charge has less left' using errcode = 'LD001';
  end if;
end $$;
create or replace function require_running_items(p_holds jsonb) returns void language plpgsql as $$
declare
  running int;
begin
  perform from jsonb_to_recordset(p_holds) as h (reseller_id int, request_id text, item_token uuid)
     join bulk_job_items i on i.id = substring(h.request_id from '^bulk:([0-9]+)')::int and i.reseller_id = h.reseller_id
                          and i.state = 'running'
     join bulk_jobs j on j.id = i.job_id and j.reseller_id = i.reseller_id and j.lease_token = h.item_token
    order by j.id for key share of j;
  get diagnostics running = row_count;
  if running <> jsonb_array_length(jsonb_path_query_array(p_holds, '$[*].item_token')) then
    raise exception 'another worker has taken the item' using errcode = 'LD001';
  end if;
end $$;
create or replace function reserve_relocation_addresses() returns trigger language plpgsql as $$
begin
  if new.state = 'finished' then
    delete from relocation_addresses where job_id = new.id and reseller_id = new.reseller_id;
  else
    insert into relocation_addresses (reseller_id, ip_address, job_id)
    select new.reseller_id, a.ip_address, new.id
      from unnest(array[new.parameters ->> 'from', new.parameters ->> 'to']) a (ip_address) order by 1, 2;
  end if;
  return null;
end $$;
create or replace function reset_sandbox(p_sandbox_id int, p_play_money bigint, p_actor text, p_now timestamptz)
returns int language plpgsql as $$
declare
  live int;
  opened int;
begin
  -- Before the wallet, as `hold_operations` locks them.
  perform from bundle_instances b where b.reseller_id = p_sandbox_id and b.auto_renew order by b.id for no key update;
  perform from licenses l where l.reseller_id = p_sandbox_id and l.auto_renew order by l.id for no key update;
  update resellers r set sandbox_closed_at = p_now, suspended_at = p_now, suspension_reason = 'The sandbox was reset.'
   where r.id = p_sandbox_id and r.sandbox_of is not null and r.sandbox_closed_at is null
  returning r.sandbox_of into live;
  if live is null then return null; end if;
  opened := open_sandbox(live, p_play_money, p_actor, p_now);
  update licenses l set auto_renew = false where l.reseller_id = p_sandbox_id and l.auto_renew;
  update bundle_instances b set auto_renew = false where b.reseller_id = p_sandbox_id and b.auto_renew;
  perform from api_keys k where k.reseller_id = p_sandbox_id order by k.id for no key update;
  update api_keys k set reseller_id = opened where k.reseller_id = p_sandbox_id and k.license_id is null;
  update api_keys k set revoked_at = coalesce(k.revoked_at, p_now) where k.reseller_id = p_sandbox_id;
  update webhook_endpoints e set reseller_id = opened where e.reseller_id = p_sandbox_id;
  update saved_views v set reseller_id = opened where v.reseller_id = p_sandbox_id;
  with late as materialized (select d.id from webhook_deliveries d where d.reseller_id = p_sandbox_id order by d.id for update)
  delete from webhook_deliveries d using late l where d.id = l.id;
  return opened;
end $$;
create or replace function restore_ended(
  p_case_id int, p_fingerprint text, p_charge bigint, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now, p_request_id);
  wanted licenses;
  member licenses;
  op record;
  due bigint;
  spendable bigint;
begin
  perform lock_unit(closed.license_id);
  select * into wanted from licenses where id = closed.license_id;
  if not found or wanted.terminated_at is null or wanted.open_operation_id is not null or wanted.updated_at > closed.last_seen_at then
    raise exception 'the license has changed' using errcode = 'LD001';
  end if;
  for member in
    select * from licenses_of_unit(wanted.id) where terminated_at = wanted.terminated_at order by id
  loop
    perform from products p
      where p.id = member.product_id and p.provider = closed.provider
        and (member.id <> wanted.id or p.provider_sku = coalesce(closed.facts #>> '{provider,product}', p.provider_sku))
        for key share;
    if not found then raise exception 'the product has moved' using errcode = 'LD001'; end if;
    update licenses set terminated_at = null, external_id = free_external_id(member), updated_at = p_now where id = member.id;
    update bundle_instances set terminated_at = null where id = member.bundle_instance_id;
    perform emit_license_event(member.id, 'license.activated', null, closed.operation_id, p_now);
    perform emit_past_expiry(member.id, p_now);
  end loop;
  select w.posted - w.held into strict spendable from wallets w where w.reseller_id = closed.reseller_id for update;
  -- Checked as a whole, so that the error has the full amount.
  select coalesce(sum(r.amount), 0) into due from refunded_for_term(wanted.id, wanted.terminated_at) r;
  if due <> p_charge then raise exception 'the amount has changed' using errcode = 'LD008'; end if;
  if due > spendable then perform refuse_short_wallet(closed.reseller_id, due, null); end if;
  for op in
    select r.operation_id as id, r.amount as due from refunded_for_term(wanted.id, wanted.terminated_at) r order by r.operation_id
  loop
    perform post_ledger_entry(closed.reseller_id, 'charge', 'revenue', -op.due, 'case:' || closed.id || ':' || op.id, p_reason,
                              p_actor, op.id, null, p_now);
  end loop;
end $$;
create or replace function sandbox_of(p_reseller_id int) returns int language sql stable as $$
  select coalesce((select r.id from resellers r where r.id = p_reseller_id and r.sandbox_of is not null), 0)
$$;
create or replace function save_discarded_registration() returns trigger language plpgsql as $$
begin
  insert into discarded_registrations (license_key, reseller_id, operation_id, license, bundle_instance, ends_at)
  values (old.key, old.reseller_id, old.open_operation_id, to_jsonb(old),
          (select to_jsonb(b) from bundle_instances b where b.id = old.bundle_instance_id and b.reseller_id = old.reseller_id), old.expires_at);
  return old;
end $$;
create or replace function set_spending_limit(p_key_id int, p_reseller_id int, p_limit bigint, p_actor text, p_now timestamptz, p_request_id text)
returns boolean language plpgsql as $$
declare
  key api_keys;
  first int;
  actors text[];
begin
  select coalesce(k.first_id, k.id) into first from api_keys k where k.id = p_key_id and (p_reseller_id is null or k.reseller_id = p_reseller_id);
  if not found then return false; end if;
  -- Waits for a rotation in progress, whose new key the update then finds, and for holds in progress, which then count.
  perform from api_keys k where k.id = first or k.first_id = first order by k.id for update;
  select * into key from api_keys k where k.id = p_key_id;
  with changed as (
    update api_keys k set spending_limit = p_limit
     where k.id = first or k.first_id = first returning k.id
  )
  select array_agg('key:' || c.id) into actors from changed c;
  if p_limit is not null then
    with counted as materialized (
      select o.id from operations o
       where o.reseller_id = key.reseller_id and o.created_at >= date_trunc('month', p_now, 'UTC')
         and o.actor = any (actors) and o.spending_key_id is null
         -- Of free operations, only the effects of open ones depend on it (contract 1.13).
         and (o.hold_amount > 0 and not o.rejected or o.settled_at is null)
       order by o.id for no key update
    )
    update operations o set spending_key_id = first from counted c where o.id = c.id and o.reseller_id = key.reseller_id;
  end if;
  perform write_audit_entry(p_actor, 'api_key.set_spending_limit', key.reseller_id, 'api_key:' || key.id, '',
    jsonb_build_object('changes', jsonb_build_object('limit', jsonb_build_object('before', key.spending_limit::text, 'after', p_limit::text))),
    p_now, p_request_id, key.name);
  return true;
end $$;
create or replace function set_user_disabled(
  p_user_id int, p_reseller_id int, p_disabled boolean, p_actor text, p_request_id text, p_now timestamptz
) returns text language plpgsql as $$
declare
  last_owner boolean := is_last_owner(p_user_id);
  person users;
begin
  select * into person from users u
   where u.id = p_user_id and (p_reseller_id is null or u.reseller_id = p_reseller_id) for update;
  if not found then return 'missing'; end if;
  if (person.disabled_at is not null) = p_disabled then return 'unchanged'; end if;
  if p_disabled and last_owner then return 'last_owner'; end if;
  update users u set disabled_at = case when p_disabled then p_now end where u.id = person.id;
  if p_disabled then
    perform end_sessions(person.id, null, p_now);
    delete from email_changes c where c.user_id = person.id;
    delete from access_links l where l.user_id = person.id;
    perform forget_mail_links(person.id, null, 'Not sent: the user is disabled.', p_now);
  end if;
  perform write_audit_entry(p_actor, case when p_disabled then 'user.disable' else 'user.enable' end, person.reseller_id,
                            'user:' || person.id, '', jsonb_build_object('email', person.email), p_now, p_request_id, person.name);
  -- As enabled: the last message of a disabled user.
  person.disabled_at := null;
  perform tell_of_access_change(case when p_disabled then 'disabled' else 'enabled' end, person, null, p_actor, p_now);
  return 'done';
end $$;
create or replace function set_user_role(
  p_user_id int, p_reseller_id int, p_role user_role, p_actor text, p_request_id text, p_now timestamptz
) returns text language plpgsql as $$
declare
  last_owner boolean := is_last_owner(p_user_id);
  person users;
  changed users;
begin
  select * into person from users u
   where u.id = p_user_id and (p_reseller_id is null or u.reseller_id = p_reseller_id) for update;
  if not found then return 'missing'; end if;
  if person.role = p_role then return 'unchanged'; end if;
  if last_owner then return 'last_owner'; end if;
  update users u set role = p_role where u.id = person.id returning * into changed;
  perform write_audit_entry(p_actor, 'user.set_role', person.reseller_id, 'user:' || person.id, '',
                            jsonb_build_object('email', person.email, 'changes',
                              changes_between(jsonb_build_object('role', person.role), jsonb_build_object('role', p_role))),
                            p_now, p_request_id, person.name);
  perform tell_of_access_change('role', changed, person.role, p_actor, p_now);
  return 'done';
end $$;
create or replace function settle_bulk_item() returns trigger language plpgsql as $$
declare
  is_undo constant boolean := new.request_id like '%:undo';
  settled record;
begin
  for settled in
    update bulk_job_items i set
        state = bulk_item_state_of(new.state, is_undo),
        error_code = case when new.state = 'rejected' then 'provider_rejected' end,
        error_message = case when new.state = 'rejected' then new.failure_message end,
        charged_amount = i.charged_amount + case when new.state = 'succeeded' then new.price else 0 end,
        revert_until = case when is_undo or new.state = 'succeeded' then i.revert_until end,
        ended_at = new.settled_at
      from bulk_jobs j
     where i.operation_id = new.id and i.reseller_id = new.reseller_id and i.state = 'pending' and j.id = i.job_id and j.reseller_id = i.reseller_id
    returning i.id as item_id, j.id as job_id, j.state as job_state, i.revert_until is not null as is_stopped
  loop
    if is_undo and new.state = 'rejected' then
      perform postpone_bulk_revert(settled.item_id, 'provider_rejected', coalesce(new.failure_message, 'The provider rejected it.'), new.settled_at);
    elsif not is_undo and settled.is_stopped and new.state = 'succeeded' then
      update bulk_job_items i set state = 'failed', error_code = 'stopped', error_message = 'Not reverted: a user stopped waiting for its outcome.'
       where i.id = settled.item_id and i.reseller_id = new.reseller_id;
    end if;
    if settled.job_state <> 'finished' then perform wake_bulk_job(settled.job_id, new.settled_at); end if;
  end loop;
  return null;
end $$;
create or replace function settle_operations(p_settlements jsonb) returns setof operations language plpgsql
set plan_cache_mode to force_generic_plan set join_collapse_limit to 1 set from_collapse_limit to 1 set cpu_tuple_cost to 10
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off set lock_timeout to '1500ms' as $$
declare
  settled jsonb;
  ids uuid[];
  discarded uuid[];
  licenses int[];
begin
  settled := lock_settlements(p_settlements);
  if settled is null then return; end if;
  ids := array(select s.id from jsonb_to_recordset(settled) as s (id uuid));
  licenses := licenses_of_operations(settled);

  perform apply_effects(settled);
  -- Only after the licenses have claimed their addresses, so that no address is free in between.
  delete from address_claims c where c.operation_id = any (ids);
  if settled @? '$[*].effects.coreLots' then perform add_core_lots(settled); end if;
  perform write_events(settled);

  if settled @? '$[*].effects.discard' then
    discarded := array(select s.id from jsonb_to_recordset(settled) as s (id uuid, effects jsonb) where s.effects ? 'discard');
    delete from licenses l where l.id = any (licenses) and l.open_operation_id = any (discarded);
    delete from bundle_instances b where b.open_operation_id = any (discarded);
  end if;
  update licenses l set open_operation_id = null where l.id = any (licenses) and l.open_operation_id = any (ids);
  if settled @? '$[*] ? (@.bundle_instance_id != null)' then
    update bundle_instances b set open_operation_id = null where b.open_operation_id = any (ids);
  end if;

  perform settle_wallets(settled);
  if settled @? '$[*] ? (@.kind == "license_change_core")' then
    perform count_removed_cores(array(select c.lot_id from core_credits c where c.operation_id = any (ids)));
  end if;
  return query select o.* from operations o where o.id = any (ids);
end $$;
create or replace function settle_recovery_codes(p_user_id int, p_hashes bytea[], p_replaces boolean) returns int language plpgsql as $$
declare
  has_factor boolean;
  stored int;
begin
  perform from users u where u.id = p_user_id for no key update;
  has_factor := exists (select from totp_factors t where t.user_id = p_user_id and t.confirmed_at is not null)
    or exists (select from passkeys p where p.user_id = p_user_id);
  if p_replaces or not has_factor then
    delete from recovery_codes c where c.user_id = p_user_id;
  end if;
  insert into recovery_codes (user_id, hash)
  select p_user_id, code.hash from unnest(p_hashes) as code (hash)
   where has_factor and not exists (select from recovery_codes c where c.user_id = p_user_id);
  get diagnostics stored = row_count;
  return stored;
end $$;
create or replace function settle_unknown(
  p_case_id int, p_fingerprint text, p_succeeded boolean, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  token uuid := gen_random_uuid();
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, case when p_succeeded then 'adopted' else 'refunded' end,
                                            case when p_succeeded then 'adopt' else 'refund' end, p_actor, p_reason, p_now, p_request_id);
  reseller int;
begin
  -- Fences a process that is asking the provider now.
  update operations set lease_token = token where id = closed.operation_id and settled_at is null
  returning reseller_id into reseller;
  perform from settle_operations(jsonb_build_array(jsonb_build_object(
    'place', 0, 'id', closed.operation_id, 'resellerId', reseller, 'token', token, 'succeeded', p_succeeded,
    'failureMessage', case when not p_succeeded then 'The outcome remained unknown. The money was released.' end,
    'reconciled', true, 'now', p_now)));
  if not found then
    raise exception 'the operation has ended' using errcode = 'LD004';
  end if;
end $$;
create or replace function settle_wallets(p_settled jsonb) returns void language plpgsql as $$
declare
  resellers int[];
begin
  with total as (
    select s.reseller_id, sum(s.hold_amount)::bigint as held, sum(s.charged)::bigint as charged
      from jsonb_to_recordset(p_settled) as s (reseller_id int, hold_amount bigint, charged bigint)
     group by s.reseller_id order by s.reseller_id
  ), wallet as (
    -- In one order, and also if its money does not change: this locks it.
    update wallets w set held = w.held - t.held, posted = w.posted - t.charged
      from total t where w.reseller_id = t.reseller_id
    returning w.reseller_id, w.posted, w.held
  ), outcome as (
    select s.*, w.posted + coalesce(sum(s.charged) over later, 0)::bigint as posted_after,
           w.posted - w.held + coalesce(sum(s.charged - s.hold_amount) over later, 0)::bigint as balance_after
      from jsonb_to_recordset(p_settled) as s (place int, id uuid, reseller_id int, license_id int, bundle_instance_id int,
                                               hold_amount bigint, charged bigint, actor text,
                                               succeeded boolean, reconciled boolean, failure_message text, now timestamptz)
      join wallet w on w.reseller_id = s.reseller_id
    window later as (partition by s.reseller_id order by s.place rows between 1 following and unbounded following)
  ), entries as (
    insert into ledger_entries (reseller_id, counter_account, kind, amount, posted_after, operation_id, subject_label, actor, created_at)
    select s.reseller_id,
           case when s.charged > 0 then 'revenue' else 'credits' end::ledger_account,
           case when s.charged > 0 then 'charge' else 'credit' end::ledger_entry_kind,
           -s.charged, s.posted_after, s.id, subject.label, s.actor, s.now
      from outcome s left join lateral subject_label(s.reseller_id, s.license_id, s.bundle_instance_id) as subject (label) on true
     where s.charged <> 0 order by s.place
  ), ended as (
    update operations o set
        state = case when s.succeeded then 'succeeded' else 'rejected' end::operation_state,
        settled_at = s.now,
        owner_id = null,
        reconciled_at = case when s.reconciled then s.now end,
        failure_message = s.failure_message,
        balance_after = s.balance_after
      from outcome s where o.id = s.id and o.reseller_id is not distinct from s.reseller_id
  )
  select array_agg(w.reseller_id) into resellers from wallet w;

  -- A released hold raises the available balance, too.
  perform emit_low_balance(resellers, (p_settled #>> '{-1,now}')::timestamptz);
end $$;
create or replace function spent_by_key(p_key_id int, p_at timestamptz) returns bigint language sql stable
set enable_bitmapscan to off as $$
  select coalesce(sum(o.hold_amount), 0)::bigint from operations o
   where o.spending_key_id = p_key_id
     and o.reseller_id is not distinct from (select k.reseller_id from api_keys k where k.id = p_key_id)
     and o.hold_amount > 0 and not o.rejected
     and o.created_at >= date_trunc('month', p_at, 'UTC')
     and o.created_at < (date_trunc('month', p_at at time zone 'UTC') + interval '1 month') at time zone 'UTC'
$$;
create or replace function subject_label(p_reseller_id int, p_license_id int, p_bundle_instance_id int)
returns setof text language sql stable as $$
  select p.name || ' on ' || coalesce(nullif(l.hostname, ''), l.ip_address)
    from licenses l join products p on p.id = l.product_id
   where l.id = p_license_id and l.reseller_id = p_reseller_id
  union all
  select b.name || ' on ' || i.ip_address
    from bundle_instances i join bundles b on b.id = i.bundle_id
   where i.id = p_bundle_instance_id and i.reseller_id = p_reseller_id and p_license_id is null
$$;
create or replace function tell_of_access_change(
  p_change text, p_user users, p_previous_role user_role, p_actor text, p_now timestamptz
) returns void language sql as $$
  with told as (
    select jsonb_build_object('name', p_user.name, 'email', p_user.email, 'change', p_change, 'role', p_user.role, 'at', p_now,
             'organization', (select r.name from resellers r where r.id = p_user.reseller_id),
             'by', (select a.name from users a
                     where 'user:' || a.id = p_actor and a.reseller_id is not distinct from p_user.reseller_id)) as data
  ), person as (
    select queue_mail(gen_random_uuid(), 'access_changed', p_user, t.data, null, null, null, p_now)
      from told t where p_change <> 'added' and p_actor <> 'user:' || p_user.id
  ), owners as (
    select queue_mail(gen_random_uuid(), 'team_access_changed', o, t.data, null, null, null, p_now)
      from told t, users o
     where o.reseller_id is not distinct from p_user.reseller_id and o.role = 'owner' and o.id <> p_user.id
       and 'user:' || o.id <> p_actor
       and (p_user.reseller_id is null or 'owner' in (p_user.role, p_previous_role))
  )
  select from (select from person union all select from owners) sent
$$;
create or replace function to_major(p_minor bigint, p_digits int) returns numeric language sql immutable as $$
  select trim_scale(p_minor / power(10::numeric, p_digits))
$$;
create or replace function unlock_jobs(p_workers text[]) returns void language plpgsql as $$
begin
  perform graphile_worker.force_unlock_workers(p_workers);
  perform pg_notify('jobs:insert', '{"count":1}');
exception when others then
  return;
end $$;
create or replace function unprovided_charges(p_license_id int, p_until timestamptz, p_tolerance interval)
returns table (operation_id uuid, amount bigint) language sql stable rows 10 as $$
  with unit as (
    select id, bundle_instance_id from licenses_of_unit(p_license_id)
  ), about as (
    select o.id from unit join operations o on o.license_id = unit.id
    union
    select o.id from unit join operations o on o.bundle_instance_id = unit.bundle_instance_id
  ), done as (
    select o.* from about join operations o on o.id = about.id where o.state = 'succeeded'
  ), charged as (
    select * from done where price > 0
  ), bought as (
    select o.id, (o.price - coalesce((select sum(lot.amount) from core_lots lot where lot.operation_id = o.id), 0))::numeric as amount,
           bought_from(o) as starts_at,
           coalesce(o.plan #>> '{facts,newExpiry}', o.plan #>> '{facts,expiresAt}', o.plan #>> '{steps,0,request,expiresAt}')::timestamptz as ends_at,
           (select min(bought_from(d)) from done d
             where d.kind in ('license_renew', 'bundle_renew') and d.settled_at > o.settled_at) as cut_at
      from charged o
    union all
    select o.id, lot.amount * (lot.cores - used.reserved_cores)::numeric / lot.cores, lot.starts_at, lot.ends_at, term.ends_at
      from charged o join core_lots lot on lot.operation_id = o.id and lot.removed_cores < lot.cores
     cross join lateral core_lot_use(lot.id) used
      join paid_terms_ahead(lot.license_id, p_until) term on term.id = lot.paid_term_id
  ), missing as (
    select b.id, b.amount * extract(epoch from t.ends_at - t.starts_at) / extract(epoch from b.ends_at - b.starts_at) as amount
      from bought b
     cross join lateral (
       select case when p_until <= b.starts_at + p_tolerance then b.starts_at else p_until end as starts_at,
              least(b.ends_at, b.cut_at, (select l.expires_at from licenses l where l.id = p_license_id)) as ends_at) t
     where b.ends_at > b.starts_at and t.ends_at > p_until + p_tolerance and t.ends_at > t.starts_at
  ), owed as (
    select m.id, least(floor(sum(m.amount)), charge_left(m.id, (select l.reseller_id from licenses l where l.id = p_license_id)))::bigint as amount from missing m group by m.id
  )
  select o.id, o.amount from owed o join operations p on p.id = o.id where o.amount > 0 order by p.settled_at desc, o.id
$$;
create or replace function user_has_room(p_kind text, p_user_id int, p_limit int, p_now timestamptz, p_at_reseller_id int default null)
returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('has_room ' || p_kind), p_user_id);
  return p_limit > case p_kind
    when 'passkeys' then (select count(*) from passkeys p where p.user_id = p_user_id)
    when 'password_resets' then (
      select count(*) from access_links l where l.user_id = p_user_id and l.kind = 'password_reset' and l.expires_at > p_now)
    when 'saved_views' then (
      select count(*) from saved_views v where v.user_id = p_user_id and v.reseller_id is not distinct from p_at_reseller_id)
  end;
end $$;
create or replace function wake_bulk_job(p_job_id int, p_run_at timestamptz) returns void language sql as $$
  select wake_worker('run_bulk_jobs', json_build_object('resellerId', j.reseller_id, 'after', j.id), p_run_at,
                     'run_bulk_jobs:' || j.reseller_id)
    from bulk_jobs j where j.id = p_job_id
$$;
create or replace function wake_reseller(p_task text, p_reseller_id int, p_run_at timestamptz) returns void language plpgsql as $$
declare
  v_key text := p_task || ':' || p_reseller_id;
begin
  if exists (select from graphile_worker.jobs j where j.key = v_key and j.attempts < j.max_attempts) then return; end if;
  perform wake_worker(p_task, json_build_object('resellerId', p_reseller_id), p_run_at, v_key);
exception when others then
  return;
end $$;
create or replace function wake_webhook_delivery() returns void language plpgsql as $$
begin
  if not exists (select from graphile_worker.jobs j
                  where j.task_identifier = 'deliver_webhooks' and j.locked_at is null and j.attempts < j.max_attempts) then
    perform graphile_worker.add_job('deliver_webhooks', max_attempts => 1);
  end if;
exception when others then
  return;
end $$;
create or replace function wake_worker(p_task text, p_payload json, p_run_at timestamptz, p_job_key text) returns void language plpgsql as $$
begin
  perform graphile_worker.add_job(p_task, p_payload, run_at => p_run_at, job_key => p_job_key, max_attempts => 5);
exception when others then
  return;
end $$;
create or replace function wants_mail(p_kind text, p_user users) returns boolean language sql stable as $$
  select p_kind in ('invitation', 'password_reset', 'email_change', 'email_change_new', 'new_device', 'access_changed',
                    'team_access_changed')
      or p_user.one_time_password_until is null
     and case when p_kind in ('low_balance', 'runway_end', 'top_up_decided') then p_user.role not in ('support', 'developer')
              when p_kind = 'top_up_requested' then p_user.role in ('owner', 'finance')
              when p_kind = 'new_cases' then p_user.role in ('owner', 'operator', 'finance')
              else true end
     and not exists (select from mail_opt_outs o where o.user_id = p_user.id and o.kind = p_kind)
$$;
create or replace function write_audit_entry(
  p_actor text, p_action text, p_reseller_id int, p_subject text, p_reason text, p_data jsonb, p_now timestamptz,
  p_request_id text default '', p_label text default ''
) returns void language sql as $$
  insert into audit_entries (actor, acting_as_reseller_id, action, reseller_id, subject, subject_label, reason, data, request_id,
                             address, created_at)
  values (split_part(p_actor, ' as reseller:', 1), nullif(split_part(p_actor, ' as reseller:', 2), '')::int, p_action, p_reseller_id,
          p_subject, coalesce(p_label, ''), coalesce(p_reason, ''), coalesce(p_data, '{}'),
          split_part(coalesce(p_request_id, ''), ' from ', 1), split_part(coalesce(p_request_id, ''), ' from ', 2), p_now)
$$;
create or replace function write_events(p_settled jsonb) returns void language plpgsql as $$
begin
  insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, once_key, occurred_at)
  select (d.draft ->> 'id')::uuid, s.reseller_id, d.draft ->> 'kind',
         case when l.id is null then jsonb_build_object('bundle_instance_id', s.bundle_instance_id)
              else jsonb_build_object('license_id', 'lic_' || l.id, 'type', p.slug,
                                      'server', coalesce(nullif(l.hostname, ''), l.ip_address)) end
           || coalesce(d.draft -> 'data', '{}'::jsonb),
         l.id, coalesce(l.bundle_instance_id, s.bundle_instance_id), s.id, d.draft ->> 'onceKey', s.now
    from jsonb_to_recordset(p_settled) as s (place int, id uuid, reseller_id int, bundle_instance_id int, now timestamptz, effects jsonb)
   cross join jsonb_array_elements(s.effects -> 'events') with ordinality d (draft, number)
    left join licenses l on l.key = d.draft ->> 'licenseKey' and l.reseller_id is not distinct from s.reseller_id
    left join products p on p.id = l.product_id
   order by s.place, d.number
  on conflict (once_key) where once_key is not null do nothing;

  if jsonb_path_exists(p_settled, '$[*] ? (@.reconciled == true)') then
    insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, occurred_at)
    select gen_random_uuid(), s.reseller_id, 'operation.settled',
           license_facts(s.license_id)
             || case when s.bundle_instance_id is null then '{}' else jsonb_build_object('bundle_instance_id', s.bundle_instance_id) end
             || jsonb_build_object('operation_id', s.id, 'operation', regexp_replace(s.kind, '_', '.'),
                                   'outcome', case when s.succeeded then 'succeeded' else 'rejected' end),
           s.license_id, s.bundle_instance_id, s.id, s.now
      from jsonb_to_recordset(p_settled) as s (place int, id uuid, reseller_id int, license_id int, bundle_instance_id int, kind text,
                                               succeeded boolean, reconciled boolean, now timestamptz)
     where s.reconciled
     order by s.place;
  end if;
end $$;
create extension if not exists btree_gist;
create extension if not exists pg_trgm;
alter table wallets
  add constraint wallets_spendable_never_negative check (posted - held >= 0),
  add constraint wallets_held_never_negative check (held >= 0);
alter table ledger_entries
  add constraint ledger_entries_move_something check (amount <> 0);
create unique index ledger_entries_reseller_id_reference_key on ledger_entries (reseller_id, reference_look(reference)) where reference is not null;
create unique index top_up_requests_reseller_id_reference_key on top_up_requests (reseller_id, reference_look(reference));
alter table top_up_requests
  add constraint top_up_requests_positive check (amount > 0 and credited_amount > 0),
  add constraint top_up_requests_credited check ((state = 'approved') = (credited_amount is not null)),
  add constraint top_up_requests_decided check ((state = 'requested') = (decided_at is null));
alter table payment_settings
  add constraint payment_settings_not_negative check (confirm_above >= 0);
alter table operations
  add column rejected boolean not null generated always as (state = 'rejected') stored;
alter table operations
  add constraint operations_hold_covers_price check (hold_amount >= 0 and hold_amount >= price),
  add constraint operations_settled_when_ended check ((settled_at is null) = (state in ('held', 'sent', 'unknown')));
create index operations_open on operations (reseller_id) where settled_at is null;
create index operations_by_spending_key on operations (spending_key_id, created_at) include (hold_amount, reseller_id)
  where spending_key_id is not null and hold_amount > 0 and not rejected;
create index operations_by_bundle_instance on operations (bundle_instance_id, created_at) where bundle_instance_id is not null;
create unique index operations_one_automatic_renewal_per_term on operations ((plan #>> '{facts,renewsTerm}'), reseller_id)
  where not rejected and plan #>> '{facts,renewsTerm}' is not null;
create unique index operations_one_per_bulk_item on operations (request_id, reseller_id)
  where request_id like 'bulk:%' and not rejected;
alter table licenses
  add column search_words text generated always as (
    license_search_words(hostname, notes, variadic array[customer_name, customer_email, customer_reference] || tags)) stored;
alter table licenses
  add constraint licenses_term_ordered check (anchored_at < expires_at),
  add constraint licenses_cores_within_limits check (cores between 1 and 32),
  add constraint licenses_cycle_or_bundle check ((cycle_id is null) <> (bundle_instance_id is null)),
  add constraint licenses_suspension_has_author check ((suspended_at is null) = (suspended_by is null)),
  add constraint licenses_ip_address_canonical check (host(ip_address::inet) = ip_address and family(ip_address::inet) = 4);
create index licenses_search on licenses
  using gin (license_search_tokens(reseller_id, id, key, ip_address, search_words, product_id, coalesce(bundle_instance_id, 0), coalesce(external_id, ''),
    array[customer_name, customer_email, customer_reference], tags))
  with (fastupdate = off);
create index licenses_by_key_ending on licenses (reverse(key) collate "C");
create unique index licenses_external_id on licenses (reseller_id, external_id, coalesce(terminated_at, 'infinity'))
  where external_id is not null;
create index licenses_by_address on licenses (reseller_id, (ip_address::inet), id);
create index licenses_by_provider_reference on licenses (provider_reference) where provider_reference is not null;
create index licenses_by_bundle_instance on licenses (bundle_instance_id) where bundle_instance_id is not null;
create index licenses_in_bundle on licenses (reseller_id, id) where bundle_instance_id is not null;
create index licenses_by_customer on licenses (reseller_id, (lower(customer_name) collate "C"), id) where customer_name <> '';
create index licenses_auto_renew on licenses (reseller_id, expires_at) where auto_renew;
create index licenses_renewed_by_hand on licenses (reseller_id, id) where not auto_renew and bundle_instance_id is null;
create index licenses_suspended on licenses (reseller_id, id) where terminated_at is null and suspended_at is not null;
create index licenses_suspended_by_admin on licenses (reseller_id, id) where suspended_by = 'admin';
create index licenses_terminated on licenses (reseller_id, id) where terminated_at is not null;
alter table paid_terms
  add constraint paid_terms_ordered check (starts_at < ends_at and months > 0);
alter table core_lots
  add constraint core_lots_ordered check (starts_at < ends_at),
  add constraint core_lots_charged_by_an_operation check (cores > 0 and amount >= 0 and (amount = 0 or operation_id is not null));
create index core_lots_live on core_lots (paid_term_id) where removed_cores < cores;
alter table core_credits
  add constraint core_credits_paid_by_an_operation check (cores > 0 and amount >= 0 and (amount = 0 or operation_id is not null));
alter table address_claims
  add constraint one_live_license_per_product_and_address
  exclude using gist ((ip_address::inet) inet_ops with =, product_id with =, sandbox_id with =, license_id with <>, tstzrange(valid_from, valid_until) with &&);
create index address_claims_by_operation on address_claims (operation_id) where operation_id is not null;
alter table bundle_instances
  add constraint bundle_instances_term_ordered check (anchored_at < expires_at);
create index bundle_instances_auto_renew on bundle_instances (reseller_id, expires_at) where auto_renew;
alter table billing_cycles
  add constraint billing_cycles_one_owner check ((product_id is null) <> (bundle_id is null)),
  add constraint billing_cycles_positive_term check (months between 1 and 120);
alter table prices
  add constraint prices_never_negative check (price >= 0 and setup_fee >= 0 and coalesce(price_per_core, 0) >= 0);
create unique index prices_one_per_cycle_and_list on prices (cycle_id, currency, reseller_id) nulls not distinct;
alter table providers
  add constraint providers_dispatch_has_address
  check ((kind = 'dispatch') = (base_url is not null and credentials is not null));
insert into providers (name, kind) values ('sandbox', 'sandbox'), ('test mode', 'test');
create unique index providers_one_of_test_mode on providers (kind) where kind = 'test';
create unique index resellers_one_sandbox on resellers (sandbox_of) where sandbox_closed_at is null;
alter table rehearsals
  add constraint rehearsals_bounded check (remaining between 0 and 100);
alter table resellers
  add constraint resellers_closed_is_a_sandbox check (sandbox_closed_at is null or sandbox_of is not null),
  add constraint resellers_renew_ahead_days check (renew_ahead_days between 1 and 90),
  add constraint resellers_expiring_soon_days check (0 < all (expiring_soon_days));
create unique index users_one_per_email_and_reseller on users (email, reseller_id) nulls not distinct;
alter table users
  add constraint users_email_lower_case check (email = lower(email)),
  add constraint users_role_of_their_kind check (case when reseller_id is null
    then role in ('owner', 'operator', 'finance', 'support')
    else role in ('owner', 'manager', 'support', 'finance', 'developer', 'viewer') end);
alter table sessions
  add constraint sessions_acting_has_an_end check ((acting_as_reseller_id is null) = (acting_until is null));
alter table api_keys
  add constraint api_keys_rate_limit_positive check (rate_limit_per_minute > 0),
  add constraint api_keys_bound_to_a_license_is_an_agents
  check (license_id is null or scopes <@ array['licenses:verify', 'diagnostics:write']);
alter table api_requests
  add constraint api_requests_counted_have_no_request_id check (request_count > 0 and (request_count = 1 or request_id is null));
create unique index api_requests_minutes on api_requests (api_key_id, operation, method, status, started_at)
  where request_id is null;
create index api_requests_errors on api_requests (api_key_id, started_at, id) where status >= 400;
create index api_requests_request_ids on api_requests (request_id) where request_id is not null;
alter table reconciliation_cases
  add constraint reconciliation_cases_resolution check ((resolved_at is null) = (resolution is null));
create index compared_book_entries_unread on compared_book_entries (comparison_id) where unread;
create unique index reconciliation_cases_open on reconciliation_cases (provider, reference, kind) where resolved_at is null;
create unique index provider_comparisons_running on provider_comparisons (provider) where finished_at is null;
alter table bulk_jobs
  add constraint bulk_jobs_finished_when_ended check ((state = 'finished') = (finished_at is not null)),
  add constraint bulk_jobs_owner_has_token check (owner_id is null or lease_token is not null);
create index bulk_jobs_open on bulk_jobs (owner_id) where state <> 'finished';
create index bulk_job_items_pending on bulk_job_items (operation_id) where state = 'pending';
create index verifications_failed on verifications (reseller_id, checked_at)
  where code in ('IP_MISMATCH', 'EXPIRED') and license_id is not null;
create index audit_entries_addresses on audit_entries (address, id) where address <> '';
create unique index events_once_key_key on events (once_key) where once_key is not null;
create index events_notified on events (reseller_id, occurred_at)
  where kind in ('wallet.low_balance', 'wallet.topped_up', 'license.renewal_failed', 'license.registration_failed', 'operation.settled');
create index events_expiring_soon on events (occurred_at) where kind = 'license.expiring_soon';
create index events_challenges on events (reseller_id, occurred_at) where kind = 'webhook.endpoint_verification';
alter table webhook_endpoints
  add constraint webhook_endpoints_chat_is_telegrams check ((format = 'telegram') = (chat_id is not null)),
  add constraint webhook_endpoints_concurrency check (concurrency between 1 and 10),
  add constraint webhook_endpoints_disabled_for_a_reason check ((disabled_at is null) = (disabled_reason is null)),
  add constraint webhook_endpoints_previous_secret_ends
  check ((previous_secret is null) = (previous_secret_until is null));
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, next_attempt_at, id) where state = 'pending';
create index webhook_deliveries_pending_in_order on webhook_deliveries (endpoint_id, id) where state = 'pending';
create index webhook_deliveries_in_flight on webhook_deliveries (endpoint_id) where owner_id is not null;
alter table mails
  add constraint mails_secret_ends check (secret is null or secret_until is not null),
  add constraint mails_sent_at_a_time check ((state = 'sent') = (sent_at is not null)),
  add constraint mails_owner_has_token check (owner_id is null or lease_token is not null);
create index mails_pending on mails (next_attempt_at, id) where state = 'pending';
create index mails_of_problems on mails (created_at) where kind = 'system_problems';
create index mails_with_secret on mails (secret_until) where secret is not null;
create index servers_search on servers using gin (lower(hostname || ' ' || address) gin_trgm_ops);
create index servers_critical on servers (reseller_id, problems_since) where severity = 2;
alter table deployment
  add constraint deployment_one_row check (single);
alter table ledger_checks
  add constraint ledger_checks_one_row check (single);
alter table archive_states
  add constraint archive_states_one_row check (single);
create unique index saved_views_name on saved_views (user_id, coalesce(reseller_id, 0), list, lower(name));
create trigger ledger_entries_append_only
  before update or delete on ledger_entries for each row execute function refuse_change();
create trigger ledger_entries_never_truncated
  before truncate on ledger_entries for each statement execute function refuse_change();
create trigger audit_entries_append_only
  before update or delete on audit_entries for each row execute function refuse_change();
create trigger audit_entries_never_truncated
  before truncate on audit_entries for each statement execute function refuse_change();
create constraint trigger audit_entries_link
  after insert on audit_entries deferrable initially deferred for each row execute function link_audit_entry();
create trigger audit_links_append_only
  before update or delete on audit_links for each row execute function refuse_change();
create trigger audit_links_never_truncated
  before truncate on audit_links for each statement execute function refuse_change();
create trigger paid_terms_append_only
  before update or delete on paid_terms for each row execute function refuse_change();
create trigger paid_terms_never_truncated
  before truncate on paid_terms for each statement execute function refuse_change();
create trigger core_lots_append_only
  before update or delete on core_lots for each row execute function refuse_change();
create trigger core_lots_never_truncated
  before truncate on core_lots for each statement execute function refuse_change();
create trigger core_credits_append_only
  before update or delete on core_credits for each row execute function refuse_change();
create trigger core_credits_never_truncated
  before truncate on core_credits for each statement execute function refuse_change();
create trigger ledger_entries_add_revenue
  after insert on ledger_entries referencing new table as new_entries for each statement
  execute function add_revenue();
create trigger operations_add_cost_of_gift
  after update of settled_at on operations for each row
  when (old.settled_at is null and new.state = 'succeeded' and new.price = 0
        and (new.kind in ('license_register', 'license_renew', 'license_change_core', 'bundle_register', 'bundle_renew')
             or new.kind = 'license_correct' and new.plan #>> '{steps,0,request,cycle}' is not null))
  execute function add_cost_of_gift();
create trigger licenses_claim_address_when_new
  after insert on licenses referencing new table as new_licenses for each statement
  execute function claim_new_addresses();
create trigger licenses_claim_address_when_changed
  after update on licenses for each row
  when ((old.ip_address, old.anchored_at, old.expires_at, old.terminated_at)
        is distinct from (new.ip_address, new.anchored_at, new.expires_at, new.terminated_at))
  execute function claim_license_address();
create trigger licenses_record_paid_terms_when_changed
  after update on licenses for each row
  when (new.cores is not null and new.provisioned_at is not null
        and (old.cores is null or old.provisioned_at is null or old.expires_at <> new.expires_at))
  execute function record_paid_terms();
create constraint trigger licenses_balance_core_lots_when_changed
  after update on licenses deferrable initially deferred for each row
  when (new.cores is not null and new.provisioned_at is not null
        and (old.cores, old.provisioned_at, old.expires_at) is distinct from (new.cores, new.provisioned_at, new.expires_at))
  execute function balance_changed_core_lots();
create trigger licenses_save_discarded
  before delete on licenses for each row when (old.open_operation_id is not null)
  execute function save_discarded_registration();
create trigger operations_settle_bulk_item
  after update of settled_at on operations for each row
  when (old.settled_at is null and new.settled_at is not null and new.request_id like 'bulk:%')
  execute function settle_bulk_item();
create trigger bulk_jobs_reserve_relocation_addresses
  after insert on bulk_jobs for each row when (new.kind = 'relocate')
  execute function reserve_relocation_addresses();
create trigger bulk_jobs_release_relocation_addresses
  after update of state on bulk_jobs for each row when (new.kind = 'relocate' and new.state = 'finished')
  execute function reserve_relocation_addresses();
create trigger events_queue_webhook_deliveries
  after insert on events referencing new table as new_events for each statement
  execute function queue_webhook_deliveries();
create trigger top_up_requests_queue_mails_when_new
  after insert on top_up_requests for each row execute function queue_change_mails();
create trigger top_up_requests_queue_mails_when_decided
  after update of state on top_up_requests for each row when (old.state = 'requested' and new.state <> 'requested')
  execute function queue_change_mails();
create trigger webhook_endpoints_queue_mails_when_disabled
  after update of disabled_at on webhook_endpoints for each row when (old.disabled_at is null and new.disabled_at is not null)
  execute function queue_change_mails();
create trigger resellers_apply_suspension
  after update of suspended_at on resellers for each row
  when ((old.suspended_at is null) is distinct from (new.suspended_at is null))
  execute function apply_suspension();
create trigger resellers_keep_mode
  before update of sandbox_of on resellers for each row when (old.sandbox_of is distinct from new.sandbox_of)
  execute function refuse_mixed_modes();
create trigger resellers_sandbox_of_live
  before insert on resellers for each row when (new.sandbox_of is not null)
  execute function refuse_mixed_modes();
create trigger api_keys_keep_mode
  before insert or update of reseller_id, hint on api_keys for each row execute function refuse_mixed_modes();
create trigger operations_keep_mode
  before insert or update of reseller_id on operations for each row execute function refuse_mixed_modes();
create trigger users_are_live
  before insert or update of reseller_id on users for each row execute function refuse_mixed_modes();
create trigger prices_are_live
  before insert or update of reseller_id on prices for each row execute function refuse_mixed_modes();
create trigger top_up_requests_are_live
  before insert or update of reseller_id on top_up_requests for each row execute function refuse_mixed_modes();
create trigger sessions_act_live
  before insert or update of acting_as_reseller_id on sessions for each row when (new.acting_as_reseller_id is not null)
  execute function refuse_mixed_modes();
create trigger users_end_pending_sign_ins
  after update on users for each row
  when (old.password_hash <> new.password_hash or old.disabled_at is distinct from new.disabled_at)
  execute function end_pending_sign_ins();
