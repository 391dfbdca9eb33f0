/** Rows that only a check constraint refuses. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

type Row = Readonly<Record<string, unknown>>;
const AT = "2027-03-01T00:00:00Z";
const LATER = "2027-04-01T00:00:00Z";
const ID = "00000000-0000-4000-8000-000000000000";
const term = { anchored_at: AT, expires_at: LATER };

/** An accepted row of each table, as far as it has no defaults. */
const accepted: Readonly<Record<string, Row>> = {
  api_keys: { reseller_id: 1, name: "", secret_hash: "\\x00", hint: "", rate_limit_per_minute: 1 },
  api_requests: {
    ...{ api_key_id: 1, started_at: AT, method: "GET", operation: "", status: 200, total_duration_us: 1 },
    ...{ max_duration_us: 1, request_count: 2 },
  },
  archive_states: { started_at: AT },
  billing_cycles: { name: "", months: 120, product_id: 1 },
  bulk_jobs: {
    ...{ reseller_id: 1, kind: "", parameters: {}, quoted_total: 0, currency: "USD", actor_kind: "admin", user_id: 1 },
    created_at: AT,
  },
  bundle_instances: { bundle_id: 1, reseller_id: 1, cycle_id: 1, ip_address: "", issued_at: AT, ...term },
  core_credits: { reseller_id: 1, lot_id: 1, cores: 1, credited_from: AT, amount: 0 },
  core_lots: {
    ...{ reseller_id: 1, license_id: 1, paid_term_id: 1, cores: 1, starts_at: AT, ends_at: LATER, amount: 0 },
  },
  deployment: {
    ...{ deployment_id: ID, place: "", pepper_fingerprint: "", auth_fingerprint: "", encryption_fingerprint: "" },
    ...{ resumed_at: AT, timeline: 1 },
  },
  ledger_checks: { differences: 0, checked_at: AT },
  ledger_entries: {
    ...{ reseller_id: 1, counter_account: "revenue", kind: "charge", amount: -1, posted_after: 0, actor: "" },
  },
  licenses: {
    ...{ key: "", reseller_id: 1, product_id: 1, cycle_id: 1, ip_address: "192.0.2.1", issued_at: AT, ...term },
    cores: 32,
  },
  mails: {
    ...{ message_id: ID, kind: "", user_id: 1, recipient: "", data: {}, next_attempt_at: AT, send_until: AT },
    created_at: AT,
  },
  operations: {
    ...{ id: ID, kind: "license_renew", state: "held", reseller_id: 1, hold_amount: 5, price: 5, currency: "USD" },
    ...{ plan: {}, actor: "", request_id: "", lease_token: ID },
  },
  paid_terms: { reseller_id: 1, license_id: 1, months: 1, starts_at: AT, ends_at: LATER },
  payment_settings: { currency: "USD", confirm_above: 0 },
  prices: { cycle_id: 1, currency: "USD", price: 0, setup_fee: 0, price_per_core: 0 },
  providers: { name: "", kind: "sandbox" },
  reconciliation_cases: {
    ...{ kind: "differs", provider: "", reference: "", facts: {}, first_seen_at: AT, last_seen_at: AT },
  },
  rehearsals: { reseller_id: 1, outcome: "", remaining: 100 },
  resellers: { name: "", email: "", currency: "USD", renew_ahead_days: 90, expiring_soon_days: [1] },
  sessions: { id: ID, user_id: 1, expires_at: AT, idle_at: AT },
  top_up_requests: { reseller_id: 1, amount: 1, reference: "", requested_by: "", created_at: AT },
  users: { email: "a@example.com", name: "", password_hash: "", role: "owner" },
  wallets: { reseller_id: 1, currency: "USD", minor_digits: 2, posted: 5, held: 5 },
  webhook_endpoints: {
    reseller_id: 1,
    url: "",
    secret: "\\x00",
    seal_id: ID,
    created_at: AT,
    updated_at: AT,
    concurrency: 10,
  },
};

/** Changes to an accepted row that the constraint refuses, at least one for each of its conditions. */
const refused: Readonly<Record<string, readonly [table: string, ...changes: Row[]]>> = {
  api_keys_bound_to_a_license_is_an_agents: [
    "api_keys",
    { license_id: 1, scopes: ["licenses:verify", "licenses:write"] },
  ],
  api_keys_rate_limit_positive: ["api_keys", { rate_limit_per_minute: 0 }],
  api_requests_counted_have_no_request_id: ["api_requests", { request_id: "a" }, { request_count: 0 }],
  archive_states_one_row: ["archive_states", { single: false }],
  billing_cycles_one_owner: ["billing_cycles", { product_id: null }, { bundle_id: 1 }],
  billing_cycles_positive_term: ["billing_cycles", { months: 0 }, { months: 121 }],
  bulk_jobs_finished_when_ended: ["bulk_jobs", { state: "finished" }, { finished_at: AT }],
  bulk_jobs_owner_has_token: ["bulk_jobs", { owner_id: ID }],
  bundle_instances_term_ordered: ["bundle_instances", { expires_at: AT }],
  core_credits_paid_by_an_operation: ["core_credits", { cores: 0 }, { amount: -1, operation_id: ID }, { amount: 1 }],
  core_lots_charged_by_an_operation: ["core_lots", { cores: 0 }, { amount: -1, operation_id: ID }, { amount: 1 }],
  core_lots_ordered: ["core_lots", { ends_at: AT }],
  deployment_one_row: ["deployment", { single: false }],
  ledger_checks_one_row: ["ledger_checks", { single: false }],
  ledger_entries_move_something: ["ledger_entries", { amount: 0 }],
  licenses_cores_within_limits: ["licenses", { cores: 0 }, { cores: 33 }],
  licenses_cycle_or_bundle: ["licenses", { cycle_id: null }, { bundle_instance_id: 1 }],
  licenses_ip_address_canonical: ["licenses", { ip_address: "192.0.2.1/24" }, { ip_address: "2001:db8::1" }],
  licenses_suspension_has_author: ["licenses", { suspended_at: AT }, { suspended_by: "admin" }],
  licenses_term_ordered: ["licenses", { expires_at: AT }],
  mails_owner_has_token: ["mails", { owner_id: ID }],
  mails_secret_ends: ["mails", { secret: "\\x00" }],
  mails_sent_at_a_time: ["mails", { state: "sent" }, { sent_at: AT }],
  operations_hold_covers_price: ["operations", { hold_amount: 4 }, { hold_amount: -1, price: -1 }],
  operations_settled_when_ended: [
    "operations",
    ...["held", "sent", "unknown"].map((state) => ({ state, settled_at: AT })),
    ...["succeeded", "rejected"].map((state) => ({ state })),
  ],
  paid_terms_ordered: ["paid_terms", { ends_at: AT }, { months: 0 }],
  payment_settings_not_negative: ["payment_settings", { confirm_above: -1 }],
  prices_never_negative: ["prices", { price: -1 }, { setup_fee: -1 }, { price_per_core: -1 }],
  providers_dispatch_has_address: [
    "providers",
    { kind: "dispatch", base_url: "https://example.com" },
    { kind: "dispatch", credentials: "\\x00" },
    { base_url: "https://example.com", credentials: "\\x00" },
  ],
  reconciliation_cases_resolution: ["reconciliation_cases", { resolved_at: AT }, { resolution: "adopted" }],
  rehearsals_bounded: ["rehearsals", { remaining: -1 }, { remaining: 101 }],
  resellers_closed_is_a_sandbox: ["resellers", { sandbox_closed_at: AT }],
  resellers_expiring_soon_days: ["resellers", { expiring_soon_days: [7, 0] }],
  resellers_renew_ahead_days: ["resellers", { renew_ahead_days: 0 }, { renew_ahead_days: 91 }],
  sessions_acting_has_an_end: ["sessions", { acting_as_reseller_id: 1 }, { acting_until: AT }],
  top_up_requests_credited: [
    "top_up_requests",
    { state: "approved", decided_at: AT },
    { credited_amount: 1 },
    { state: "declined", decided_at: AT, credited_amount: 1 },
  ],
  top_up_requests_decided: ["top_up_requests", { decided_at: AT }, { state: "declined" }],
  top_up_requests_positive: [
    "top_up_requests",
    { amount: 0 },
    { state: "approved", decided_at: AT, credited_amount: 0 },
  ],
  users_email_lower_case: ["users", { email: "A@example.com" }],
  users_role_of_their_kind: ["users", { role: "manager" }, { reseller_id: 1, role: "operator" }],
  wallets_held_never_negative: ["wallets", { held: -1 }],
  wallets_spendable_never_negative: ["wallets", { held: 6 }],
  webhook_endpoints_chat_is_telegrams: ["webhook_endpoints", { format: "telegram" }, { chat_id: "1" }],
  webhook_endpoints_concurrency: ["webhook_endpoints", { concurrency: 0 }, { concurrency: 11 }],
  webhook_endpoints_disabled_for_a_reason: ["webhook_endpoints", { disabled_at: AT }, { disabled_reason: "gone" }],
  webhook_endpoints_previous_secret_ends: [
    "webhook_endpoints",
    { previous_secret: "\\x00" },
    { previous_secret_until: AT },
  ],
};

/** Inserts a row into a copy of the table that has only its checks; without one of them, if named. */
async function insert(table: string, row: Row, without?: string): Promise<void> {
  const transaction = await world.db.begin();
  const columns = Object.keys(row).join();
  const texts = [
    `create temporary table copy (like ${table} including constraints including defaults including generated)`,
    ...(without === undefined ? [] : [`alter table copy drop constraint ${without}`]),
  ];
  try {
    for (const text of texts) await transaction.query(sql(text), []);
    const text = `insert into copy (${columns}) select ${columns} from jsonb_populate_record(null::copy, $1)`;
    await transaction.query(sql(text), [JSON.stringify(row)]);
  } finally {
    await transaction.rollback();
  }
}

test("every check constraint has a row here that it refuses", async () => {
  const text = `select distinct conname::text as name from pg_constraint
                 where contype = 'c' and connamespace = current_schema()::regnamespace`;
  const names = (await world.db.query(sql<{ name: string }>(text), [])).map(({ name }) => name);
  expect(Object.keys(refused).toSorted()).toEqual(names.toSorted());
});

test.each(Object.entries(accepted))("a row of %s is accepted", insert);

test.each(
  Object.entries(refused).flatMap(([name, [table, ...changes]]) =>
    changes.map((change) => [name, table, change] as const),
  ),
)("only %s refuses in %s: %j", async (constraint, table, change) => {
  const row = { ...accepted[table], ...change };
  await expect(insert(table, row)).rejects.toMatchObject({ code: "23514", constraint });
  await insert(table, row, constraint);
});
