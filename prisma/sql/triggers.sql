-- All triggers. The functions they execute are in prisma/sql/functions.

-- Ledger and audit entries, the links between them, paid terms, lots and credits are append-only.
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

-- What was earned, month by month.
create trigger ledger_entries_add_revenue
  after insert on ledger_entries referencing new table as new_entries for each statement
  execute function add_revenue();

-- What was given away has no entry. Of a correction, the provider charges what it counts by cycles.
create trigger operations_add_cost_of_gift
  after update of settled_at on operations for each row
  when (old.settled_at is null and new.state = 'succeeded' and new.price = 0
        and (new.kind in ('license_register', 'license_renew', 'license_change_core', 'bundle_register', 'bundle_renew')
             or new.kind = 'license_correct' and new.plan #>> '{steps,0,request,cycle}' is not null))
  execute function add_cost_of_gift();

-- A live license claims its address.
create trigger licenses_claim_address_when_new
  after insert on licenses referencing new table as new_licenses for each statement
  execute function claim_new_addresses();
create trigger licenses_claim_address_when_changed
  after update on licenses for each row
  when ((old.ip_address, old.anchored_at, old.expires_at, old.terminated_at)
        is distinct from (new.ip_address, new.anchored_at, new.expires_at, new.terminated_at))
  execute function claim_license_address();

-- A confirmed core-metered license has paid terms, and lots for its cores. A new license is never confirmed.
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

-- A rejected registration leaves a copy of what it would have created.
create trigger licenses_save_discarded
  before delete on licenses for each row when (old.open_operation_id is not null)
  execute function save_discarded_registration();

-- A settled operation ends its bulk item. Only bulk jobs start operations with a `bulk:` request id.
create trigger operations_settle_bulk_item
  after update of settled_at on operations for each row
  when (old.settled_at is null and new.settled_at is not null and new.request_id like 'bulk:%')
  execute function settle_bulk_item();

-- A relocation reserves its addresses until it finishes.
create trigger bulk_jobs_reserve_relocation_addresses
  after insert on bulk_jobs for each row when (new.kind = 'relocate')
  execute function reserve_relocation_addresses();
create trigger bulk_jobs_release_relocation_addresses
  after update of state on bulk_jobs for each row when (new.kind = 'relocate' and new.state = 'finished')
  execute function reserve_relocation_addresses();

-- Every event is queued for the endpoints subscribed to it.
create trigger events_queue_webhook_deliveries
  after insert on events referencing new table as new_events for each statement
  execute function queue_webhook_deliveries();

-- Changes that users get messages about.
create trigger top_up_requests_queue_mails_when_new
  after insert on top_up_requests for each row execute function queue_change_mails();
create trigger top_up_requests_queue_mails_when_decided
  after update of state on top_up_requests for each row when (old.state = 'requested' and new.state <> 'requested')
  execute function queue_change_mails();
create trigger webhook_endpoints_queue_mails_when_disabled
  after update of disabled_at on webhook_endpoints for each row when (old.disabled_at is null and new.disabled_at is not null)
  execute function queue_change_mails();

-- Suspending a reseller stops its wallet, its sessions and its jobs in the same statement.
create trigger resellers_apply_suspension
  after update of suspended_at on resellers for each row
  when ((old.suspended_at is null) is distinct from (new.suspended_at is null))
  execute function apply_suspension();

-- Test and live never mix.
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

-- A sign-in that waits for its second factor ends with the password that began it.
create trigger users_end_pending_sign_ins
  after update on users for each row
  when (old.password_hash <> new.password_hash or old.disabled_at is distinct from new.disabled_at)
  execute function end_pending_sign_ins();
