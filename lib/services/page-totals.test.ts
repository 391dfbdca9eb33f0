import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { createPastPartitions } from "#lib/db/partition/partitions.ts";
import { COUNTED_AT_MOST } from "#lib/domain/paging.ts";
import { listApiKeys } from "#lib/services/api-key/list.ts";
import { listApiRequests } from "#lib/services/api-key/list-requests.ts";
import { listAuditLog, listOwnAuditLog } from "#lib/services/audit/list.ts";
import { listAllBulkJobs, listBulkJobs } from "#lib/services/bulk/list.ts";
import { listCatalogProducts } from "#lib/services/catalog/list-catalog.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { listVerifications } from "#lib/services/license/verifications.ts";
import { listMails } from "#lib/services/mail/outbox.ts";
import { listCases } from "#lib/services/reconciliation/list-cases.ts";
import { listWalletEntries } from "#lib/services/wallet/list-entries.ts";
import { listWebhookDeliveries } from "#lib/services/webhook/list-deliveries.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import type { Page } from "./page.ts";

const ROWS = 6_000;
const FILL_TIMEOUT_MS = 60_000;
const first = { before: null, limit: 2 };

let world: World;
let licenseId: number;
/** What a list counted by, with its values. */
let counted: { readonly text: string; readonly values: readonly unknown[] } | null = null;
let admin: ServiceContext;
let own: ServiceContext;

const filled = {
  audit_entries: `(actor, action, reseller_id, subject, created_at)
    select 'user:1', 'license.renew', r, 'license:1', now() from rows`,
  bulk_jobs: `(reseller_id, kind, parameters, state, quoted_total, currency, actor_kind, user_id, created_at, finished_at)
    select r, 'renew', '{}', 'finished', 0, 'USD', 'reseller_user', 1, now(), now() from rows`,
  api_keys: `(reseller_id, name, secret_hash, hint, scopes) select r, 'Key', decode(md5(n::text), 'hex'), 'lk', '{}' from rows`,
  mails: `(message_id, kind, user_id, recipient, data, next_attempt_at, send_until, created_at)
    select gen_random_uuid(), 'low_balance', u.id, u.email, '{}', now(), now(), now() from rows, users u`,
  reconciliation_cases: `(kind, provider, reference, facts, first_seen_at, last_seen_at)
    select 'differs', 'sandbox', n::text, '{}', now(), now() from rows`,
  ledger_entries: `(reseller_id, counter_account, kind, amount, posted_after, note, actor, created_at)
    select r, 'top_ups', 'top_up', 1, n, '', 'system:test', now() from rows`,
  events: `(id, reseller_id, kind, data, occurred_at)
    select gen_random_uuid(), r, 'license.renewed', '{}', now() from rows`,
  webhook_deliveries: `(event_id, endpoint_id, reseller_id, next_attempt_at, created_at)
    select e.id, w.id, e.reseller_id, now(), now() from events e join webhook_endpoints w on w.reseller_id = e.reseller_id`,
  verifications: `(reseller_id, license_id, seen_ip, code, checked_at)
    select r, l, '203.0.113.7', 'VALID', at - n * interval '1 minute' from rows`,
  api_requests: `(api_key_id, started_at, method, operation, status, total_duration_us, max_duration_us)
    select k, at - n * interval '30 seconds', 'POST', 'license.renew', 200, 1, 1 from rows`,
} as const;

beforeAll(async () => {
  world = await newWorld();
  await createPastPartitions(world.db, world.now());
  const [one, other] = [await world.reseller(), await world.reseller()];
  ({ licenseId } = await one.register());
  const { licenseId: otherLicenseId } = await other.register();
  const { prisma } = world.db;
  const keyOf = async (resellerId: number, secret: number) =>
    (
      await prisma.apiKey.create({
        data: { resellerId, name: "", secretHash: Buffer.of(secret), hint: "", scopes: [] },
      })
    ).id;
  const keys = [await keyOf(one.id, 1), await keyOf(other.id, 2)];
  await prisma.user.create({
    data: { email: "a@a.example", name: "A", passwordHash: "", role: "owner", resellerId: one.id },
  });
  const at = world.now();
  for (const { id: resellerId } of [one, other]) {
    const times = { createdAt: at, updatedAt: at };
    const data = { resellerId, url: "https://a.example", secret: Buffer.of(0), sealId: randomUUID(), ...times };
    await prisma.webhookEndpoint.create({ data });
  }
  for (const [table, rows] of Object.entries(filled)) {
    await world.db.query(sql(`alter table ${table} disable trigger user`), []);
    await world.db.query(
      sql(`with rows as materialized (
             select n, timestamptz '${at.toISOString()}' as at, case when n % 2 = 0 then ${one.id} else ${other.id} end as r,
                    case when n % 2 = 0 then ${licenseId} else ${otherLicenseId} end as l,
                    case when n % 2 = 0 then ${keys[0]} else ${keys[1]} end as k
               from generate_series(1, ${ROWS}) n)
           insert into ${table} ${rows}`),
      [],
    );
    await world.db.query(sql(`vacuum analyze ${table}`), []);
  }
  const db: Database = {
    ...world.db,
    query: (statement, values) => {
      if (statement.text.startsWith("select count(*)::int as count from (")) counted = { text: statement.text, values };
      return world.db.query(statement, values);
    },
    reads: async () => db,
  };
  admin = { ...world.operator, db };
  own = { ...world.context(actors.user(one.id)), db };
}, FILL_TIMEOUT_MS);
afterAll(() => world.close());

interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Node[];
}

function readBy({ Plans = [], ...node }: Node): number {
  const rows = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  const scanned = node["Relation Name"] === undefined ? 0 : rows * node["Actual Loops"];
  return Plans.reduce((sum, plan) => sum + readBy(plan), scanned);
}

type Listed = Pick<Page<never, never>, "total">;
const noFilter = { filter: {} };

test.each<[name: string, list: () => Promise<Listed>, tables: number]>([
  ["the audit log", () => listAuditLog(admin, { ...first, ...noFilter }), 1],
  ["its entries of one action", () => listAuditLog(admin, { ...first, filter: { action: "license.renew" } }), 1],
  ["a reseller's own log", () => listOwnAuditLog(own, { ...first, ...noFilter }), 1],
  ["jobs of a reseller", () => listBulkJobs(own, first), 1],
  ["jobs of all resellers", () => listAllBulkJobs(admin, first), 2],
  ["API keys", () => listApiKeys(own, first), 2],
  ["messages", () => listMails(admin, first), 2],
  ["cases", () => listCases(admin, { ...first, after: null, filter: { resolved: false } }), 1],
  ["the ledger", () => listWalletEntries(own, first), 1],
  ["entries of a kind", () => listWalletEntries(own, { ...first, filter: { kind: "top_up" } }), 1],
  ["deliveries", () => listWebhookDeliveries(own, { ...first, ...noFilter }), 4],
  ["verifications", () => listVerifications(own, { ...first, licenseId, codes: null }), 1],
  ["requests", () => listApiRequests(own, { ...first, ...noFilter }), 2],
])("%s: counting stops, and reads only what it counts", async (_, list, tables) => {
  counted = null;
  expect((await list()).total).toBe(COUNTED_AT_MOST + 1);
  const { text = "", values = [] } = counted ?? {};
  const [row] = await world.db.query(
    sql<{ "QUERY PLAN": [{ Plan: Node }] }>(`explain (analyze, format json) ${text}`),
    values,
  );
  // Rows of two resellers alternate.
  expect(readBy(row?.["QUERY PLAN"][0].Plan as Node)).toBeLessThan((COUNTED_AT_MOST + 100) * 2 * tables);
});

test("short lists are counted whole, and a single page is not", async () => {
  const query = { text: null, state: null, provider: null, after: null };
  const { rows: products } = await listCatalogProducts(admin, { ...query, limit: 100 });
  expect((await listCatalogProducts(admin, { ...query, limit: 2 })).total).toBe(products.length);
  expect((await listCatalogProducts(admin, { ...query, limit: 100 })).total).toBeNull();
});

test.each<[why: string, list: () => Promise<Listed>]>([
  ["a name is compared with every entry", () => listAuditLog(admin, { ...first, filter: { actor: "user:1" } })],
  [
    "no index has two filters",
    () => listWalletEntries(own, { ...first, filter: { kind: "top_up", from: new Date(0) } }),
  ],
  ["part of an address is compared with every message", () => listMails(admin, { ...first, recipient: "a" })],
  ["events are joined one by one", () => listWebhookDeliveries(own, { ...first, filter: { kind: "license.renewed" } })],
  [
    "no index has operation and status",
    () => listApiRequests(own, { ...first, filter: { operation: "license.renew", statusClass: 2 } }),
  ],
])("a list has no total where counting would read more: %s", async (_, list) => {
  counted = null;
  expect((await list()).total).toBeNull();
  expect(counted).toBeNull();
});
