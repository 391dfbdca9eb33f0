-- Everything about tables that prisma/schema cannot express: extensions, generated columns, constraints, indexes, and rows
-- that must always exist. Grouped by table. lib/db names some of the constraints and indexes when it reads an error.

create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- Wallets and ledger

alter table wallets
  add constraint wallets_spendable_never_negative check (posted - held >= 0),
  add constraint wallets_held_never_negative check (held >= 0);

alter table ledger_entries
  add constraint ledger_entries_move_something check (amount <> 0);
-- A payment tops up a wallet once, however its reference is typed.
create unique index ledger_entries_reseller_id_reference_key on ledger_entries (reseller_id, reference_look(reference)) where reference is not null;
create unique index top_up_requests_reseller_id_reference_key on top_up_requests (reseller_id, reference_look(reference));

alter table top_up_requests
  add constraint top_up_requests_positive check (amount > 0 and credited_amount > 0),
  add constraint top_up_requests_credited check ((state = 'approved') = (credited_amount is not null)),
  add constraint top_up_requests_decided check ((state = 'requested') = (decided_at is null));

alter table payment_settings
  add constraint payment_settings_not_negative check (confirm_above >= 0);

-- Operations

-- No index reads the state: marking an operation as sent then writes no index entry.
alter table operations
  add column rejected boolean not null generated always as (state = 'rejected') stored;

alter table operations
  add constraint operations_hold_covers_price check (hold_amount >= 0 and hold_amount >= price),
  add constraint operations_settled_when_ended check ((settled_at is null) = (state in ('held', 'sent', 'unknown')));

-- Open operations are few. The sweeper, the wallet page and `pending_transactions` read only them.
create index operations_open on operations (reseller_id) where settled_at is null;
-- What the keys with a spending limit spent in a month. Has only what counts against the limit, which bounds its number:
-- free and rejected operations are unlimited, and each charge reads the month.
create index operations_by_spending_key on operations (spending_key_id, created_at) include (hold_amount, reseller_id)
  where spending_key_id is not null and hold_amount > 0 and not rejected;
create index operations_by_bundle_instance on operations (bundle_instance_id, created_at) where bundle_instance_id is not null;
-- Auto-renew renews a term once: a second attempt is possible only after a rejection.
create unique index operations_one_automatic_renewal_per_term on operations ((plan #>> '{facts,renewsTerm}'), reseller_id)
  where not rejected and plan #>> '{facts,renewsTerm}' is not null;
-- The request id of an operation names its bulk item. After a crash, another worker finds the started operation by it, and
-- cannot start a second one unless the first was rejected.
create unique index operations_one_per_bulk_item on operations (request_id, reseller_id)
  where request_id like 'bulk:%' and not rejected;

-- Licenses

alter table licenses
  add column search_words text generated always as (
    license_search_words(hostname, notes, variadic array[customer_name, customer_email, customer_reference] || tags)) stored;

alter table licenses
  add constraint licenses_term_ordered check (anchored_at < expires_at),
  add constraint licenses_cores_within_limits check (cores between 1 and 32),
  add constraint licenses_cycle_or_bundle check ((cycle_id is null) <> (bundle_instance_id is null)),
  add constraint licenses_suspension_has_author check ((suspended_at is null) = (suspended_by is null)),
  add constraint licenses_ip_address_canonical check (host(ip_address::inet) = ip_address and family(ip_address::inet) = 4);

-- Search by words (decision 12). Without fastupdate: a search would read the whole pending list once per shard, and new rows
-- are adjacent in the index, so inserting them directly is cheap.
create index licenses_search on licenses
  using gin (license_search_tokens(reseller_id, id, key, ip_address, search_words, product_id, coalesce(bundle_instance_id, 0), coalesce(external_id, ''),
    array[customer_name, customer_email, customer_reference], tags))
  with (fastupdate = off);
-- Search by the end of a key.
create index licenses_by_key_ending on licenses (reverse(key) collate "C");
-- One license that is not terminated has an external id; any number of terminated ones had it before (contract 3.17).
create unique index licenses_external_id on licenses (reseller_id, external_id, coalesce(terminated_at, 'infinity'))
  where external_id is not null;
-- Orders addresses numerically: as text, 10.0.0.10 sorts before 10.0.0.9.
create index licenses_by_address on licenses (reseller_id, (ip_address::inet), id);
-- Partial indexes for conditions that few licenses meet.
create index licenses_by_provider_reference on licenses (provider_reference) where provider_reference is not null;
create index licenses_by_bundle_instance on licenses (bundle_instance_id) where bundle_instance_id is not null;
create index licenses_in_bundle on licenses (reseller_id, id) where bundle_instance_id is not null;
-- Customers by name (decision 71).
create index licenses_by_customer on licenses (reseller_id, (lower(customer_name) collate "C"), id) where customer_name <> '';
create index licenses_auto_renew on licenses (reseller_id, expires_at) where auto_renew;
create index licenses_renewed_by_hand on licenses (reseller_id, id) where not auto_renew and bundle_instance_id is null;
create index licenses_suspended on licenses (reseller_id, id) where terminated_at is null and suspended_at is not null;
create index licenses_suspended_by_admin on licenses (reseller_id, id) where suspended_by = 'admin';
create index licenses_terminated on licenses (reseller_id, id) where terminated_at is not null;

-- Paid terms and core lots

alter table paid_terms
  add constraint paid_terms_ordered check (starts_at < ends_at and months > 0);

alter table core_lots
  add constraint core_lots_ordered check (starts_at < ends_at),
  add constraint core_lots_charged_by_an_operation check (cores > 0 and amount >= 0 and (amount = 0 or operation_id is not null));

-- Changes of cores skip lots whose cores are all removed: they accumulate.
create index core_lots_live on core_lots (paid_term_id) where removed_cores < cores;

alter table core_credits
  add constraint core_credits_paid_by_an_operation check (cores > 0 and amount >= 0 and (amount = 0 or operation_id is not null));

-- Live licenses of a product never overlap on an address (contract 3.3), nor do those of one sandbox. The address comes
-- first, and as a number: the index compares columns in order, and compares texts slowly.
alter table address_claims
  add constraint one_live_license_per_product_and_address
  exclude using gist ((ip_address::inet) inet_ops with =, product_id with =, sandbox_id with =, license_id with <>, tstzrange(valid_from, valid_until) with &&);

-- Settling an operation releases its claims.
create index address_claims_by_operation on address_claims (operation_id) where operation_id is not null;

-- Bundles

alter table bundle_instances
  add constraint bundle_instances_term_ordered check (anchored_at < expires_at);

create index bundle_instances_auto_renew on bundle_instances (reseller_id, expires_at) where auto_renew;

-- Catalog and providers

alter table billing_cycles
  add constraint billing_cycles_one_owner check ((product_id is null) <> (bundle_id is null)),
  add constraint billing_cycles_positive_term check (months between 1 and 120);

alter table prices
  add constraint prices_never_negative check (price >= 0 and setup_fee >= 0 and coalesce(price_per_core, 0) >= 0);

create unique index prices_one_per_cycle_and_list on prices (cycle_id, currency, reseller_id) nulls not distinct;

alter table providers
  add constraint providers_dispatch_has_address
  check ((kind = 'dispatch') = (base_url is not null and credentials is not null));

-- The default provider, and the provider of test mode.
insert into providers (name, kind) values ('sandbox', 'sandbox'), ('test mode', 'test');
create unique index providers_one_of_test_mode on providers (kind) where kind = 'test';

-- Resellers, users and keys

-- A reseller has one sandbox; earlier ones were reset.
create unique index resellers_one_sandbox on resellers (sandbox_of) where sandbox_closed_at is null;

alter table rehearsals
  add constraint rehearsals_bounded check (remaining between 0 and 100);

alter table resellers
  add constraint resellers_closed_is_a_sandbox check (sandbox_closed_at is null or sandbox_of is not null),
  add constraint resellers_renew_ahead_days check (renew_ahead_days between 1 and 90),
  add constraint resellers_expiring_soon_days check (0 < all (expiring_soon_days));

-- Per reseller, with admins as one group, so creating a user never reveals an account elsewhere.
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

-- Request log

alter table api_requests
  add constraint api_requests_counted_have_no_request_id check (request_count > 0 and (request_count = 1 or request_id is null));

-- One row counts the identical responses of a minute, from all instances.
create unique index api_requests_minutes on api_requests (api_key_id, operation, method, status, started_at)
  where request_id is null;
-- Errors are few among many requests.
create index api_requests_errors on api_requests (api_key_id, started_at, id) where status >= 400;
create index api_requests_request_ids on api_requests (request_id) where request_id is not null;

-- Reconciliation

alter table reconciliation_cases
  add constraint reconciliation_cases_resolution check ((resolved_at is null) = (resolution is null));

-- Few among many entries.
create index compared_book_entries_unread on compared_book_entries (comparison_id) where unread;
-- One open case per difference.
create unique index reconciliation_cases_open on reconciliation_cases (provider, reference, kind) where resolved_at is null;
-- One running comparison per provider.
create unique index provider_comparisons_running on provider_comparisons (provider) where finished_at is null;

-- Bulk jobs

alter table bulk_jobs
  add constraint bulk_jobs_finished_when_ended check ((state = 'finished') = (finished_at is not null)),
  add constraint bulk_jobs_owner_has_token check (owner_id is null or lease_token is not null);

-- The sweep reads only open jobs.
create index bulk_jobs_open on bulk_jobs (owner_id) where state <> 'finished';
-- Settling an operation finds the item that waits for it.
create index bulk_job_items_pending on bulk_job_items (operation_id) where state = 'pending';

-- The overview reads the few failures among many verifications.
create index verifications_failed on verifications (reseller_id, checked_at)
  where code in ('IP_MISMATCH', 'EXPIRED') and license_id is not null;

-- Audit log

-- The log is filtered by address; the worker's entries and the command line's have none.
create index audit_entries_addresses on audit_entries (address, id) where address <> '';

-- Events and webhooks

create unique index events_once_key_key on events (once_key) where once_key is not null;
-- Notifications are few among many events (`notifiedEvents` of lib/domain/notification.ts), and so are the overview's failed
-- renewals.
create index events_notified on events (reseller_id, occurred_at)
  where kind in ('wallet.low_balance', 'wallet.topped_up', 'license.renewal_failed', 'license.registration_failed', 'operation.settled');

-- The daily digest reads the few notices among many events.
create index events_expiring_soon on events (occurred_at) where kind = 'license.expiring_soon';

-- Challenges are counted for each reseller, and looked up when another one replaces them.
create index events_challenges on events (reseller_id, occurred_at) where kind = 'webhook.endpoint_verification';

alter table webhook_endpoints
  add constraint webhook_endpoints_chat_is_telegrams check ((format = 'telegram') = (chat_id is not null)),
  add constraint webhook_endpoints_concurrency check (concurrency between 1 and 10),
  add constraint webhook_endpoints_disabled_for_a_reason check ((disabled_at is null) = (disabled_reason is null)),
  add constraint webhook_endpoints_previous_secret_ends
  check ((previous_secret is null) = (previous_secret_until is null));

-- claim_webhook_deliveries reads only pending deliveries, by due time or in order, and those in flight.
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, next_attempt_at, id) where state = 'pending';
create index webhook_deliveries_pending_in_order on webhook_deliveries (endpoint_id, id) where state = 'pending';
create index webhook_deliveries_in_flight on webhook_deliveries (endpoint_id) where owner_id is not null;

-- Mail

alter table mails
  add constraint mails_secret_ends check (secret is null or secret_until is not null),
  add constraint mails_sent_at_a_time check ((state = 'sent') = (sent_at is not null)),
  add constraint mails_owner_has_token check (owner_id is null or lease_token is not null);

-- claim_mails reads only what is to be sent, and links to forget.
create index mails_pending on mails (next_attempt_at, id) where state = 'pending';
-- Admins are notified of them.
create index mails_of_problems on mails (created_at) where kind = 'system_problems';
create index mails_with_secret on mails (secret_until) where secret is not null;

-- Servers

-- Search for any part of host name or address, in any case.
create index servers_search on servers using gin (lower(hostname || ' ' || address) gin_trgm_ops);

-- A reseller's users are notified of the newest.
create index servers_critical on servers (reseller_id, problems_since) where severity = 2;

-- Deployment: one row

alter table deployment
  add constraint deployment_one_row check (single);

-- Ledger check: one row

alter table ledger_checks
  add constraint ledger_checks_one_row check (single);

-- Archive: one row

alter table archive_states
  add constraint archive_states_one_row check (single);

-- Saved views

create unique index saved_views_name on saved_views (user_id, coalesce(reseller_id, 0), list, lower(name));
