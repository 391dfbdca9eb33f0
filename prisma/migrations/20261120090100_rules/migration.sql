-- What must never be, whatever the code above does.

create extension if not exists btree_gist;
create extension if not exists pg_trgm;

alter table wallets
  add constraint wallets_spendable_never_negative check (posted - held >= 0),
  add constraint wallets_held_never_negative check (held >= 0);

alter table ledger_entries
  add constraint ledger_entries_move_something check (amount <> 0);

-- Entries are append-only.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

create trigger ledger_entries_append_only
  before update or delete on ledger_entries for each row execute function refuse_change();
create trigger ledger_entries_never_truncated
  before truncate on ledger_entries for each statement execute function refuse_change();

create trigger audit_entries_append_only
  before update or delete on audit_entries for each row execute function refuse_change();
create trigger audit_entries_never_truncated
  before truncate on audit_entries for each statement execute function refuse_change();

-- The default provider is always there; a test or an operator adds others.
insert into providers (name, kind) values ('sandbox', 'sandbox');
alter table providers
  add constraint providers_dispatch_has_address check ((kind = 'dispatch') = (base_url is not null and credentials is not null));

alter table top_up_requests
  add constraint top_up_requests_positive check (amount > 0),
  add constraint top_up_requests_decided check ((state = 'requested') = (decided_at is null));

alter table reconciliation_cases
  add constraint reconciliation_cases_resolution check ((resolved_at is null) = (resolution is null));
-- One open case for one difference.
create unique index reconciliation_cases_open on reconciliation_cases (provider, reference, kind) where resolved_at is null;

-- Live licenses of a product on an address never overlap (decisions 3.3).
alter table address_claims
  add constraint one_live_license_per_product_and_address
  exclude using gist (product_id with =, ip_address with =, license_id with <>, tstzrange(valid_from, valid_until) with &&);

-- Every license that is not terminated claims its address for its term. The term starts at the anchor, not at the day
-- of issue: a license renewed after expiry was not live in between.
create function claim_license_address() returns trigger language plpgsql as $$
begin
  delete from address_claims c where c.license_id = new.id and c.operation_id is null;
  if new.terminated_at is null then
    insert into address_claims (license_id, product_id, ip_address, valid_from, valid_until)
    values (new.id, new.product_id, new.ip_address, new.anchored_at, new.expires_at);
  end if;
  return null;
end $$;

create trigger licenses_claim_address_when_new
  after insert on licenses for each row execute function claim_license_address();
create trigger licenses_claim_address_when_changed
  after update on licenses for each row
  when ((old.ip_address, old.anchored_at, old.expires_at, old.terminated_at)
        is distinct from (new.ip_address, new.anchored_at, new.expires_at, new.terminated_at))
  execute function claim_license_address();

alter table licenses
  add constraint licenses_term_ordered check (anchored_at < expires_at),
  add constraint licenses_cores_within_limits check (cores between 1 and 32),
  add constraint licenses_cycle_or_bundle check ((cycle_id is null) <> (bundle_instance_id is null)),
  add constraint licenses_suspension_has_author check ((suspended_at is null) = (suspended_by is null)),
  add constraint licenses_ip_address_canonical check (host(ip_address::inet) = ip_address and family(ip_address::inet) = 4);

alter table bundle_instances
  add constraint bundle_instances_term_ordered check (anchored_at < expires_at);

alter table operations
  add constraint operations_hold_covers_price check (hold_amount >= 0 and hold_amount >= price),
  add constraint operations_settled_when_ended check ((settled_at is null) = (state in ('held', 'sent', 'unknown')));

-- Open operations are few: the sweeper, the wallet page and `pending_transactions` read only them.
create index operations_open on operations (reseller_id, lease_until) where state in ('held', 'sent', 'unknown');

alter table billing_cycles
  add constraint billing_cycles_one_owner check ((product_id is null) <> (bundle_id is null)),
  add constraint billing_cycles_positive_term check (months between 1 and 120);

alter table prices
  add constraint prices_never_negative check (price >= 0 and setup_fee >= 0 and coalesce(price_per_core, 0) >= 0);
create unique index prices_one_per_cycle_and_list on prices (cycle_id, currency, reseller_id) nulls not distinct;

alter table users
  add constraint users_email_lower_case check (email = lower(email)),
  add constraint users_reseller_when_reseller check ((role = 'reseller') = (reseller_id is not null));

alter table api_keys
  add constraint api_keys_rate_limit_positive check (rate_limit_per_minute > 0);

-- Search over key, host, address and notes (decisions 2.4), as typed: any part, any case.
alter table licenses
  add column search_text text generated always as (lower(key || ' ' || hostname || ' ' || ip_address || ' ' || notes)) stored;
create index licenses_search on licenses using gin (search_text gin_trgm_ops);
