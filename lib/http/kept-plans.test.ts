/**
 * PostgreSQL keeps the plans of what is called most: each read of both interfaces, what every page of the dashboard asks,
 * and what the workers ask while nothing is to be done.
 */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { resultCheck } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { scopes } from "#lib/domain/scopes.ts";
import { getRuntime } from "#lib/runtime.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { claimDueMails } from "#lib/services/mail/deliver.ts";
import { listNotifications } from "#lib/services/notification/list.ts";
import { listDueOperations } from "#lib/services/operation/reconcile.ts";
import { getOverview } from "#lib/services/overview/get.ts";
import { listRenewalFailures } from "#lib/services/renewals/list-failures.ts";
import { findSession } from "#lib/services/user/sign-in.ts";
import { claimDueDeliveries } from "#lib/services/webhook/deliver.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { type ApiAnswer, type ApiWorld, callerWith, newApiWorld } from "#tests/support/api.ts";
import { type Receiver, startReceiver } from "#tests/support/receiver.ts";
import { ENCRYPTION_KEY, newWebhooks } from "#tests/support/webhooks.ts";
import { seedLarge } from "../../scripts/large-seed/seed.ts";
import { operations } from "./dispatch-api/interface.ts";
import { pathTargets } from "./path-api/interface.ts";

/** PostgreSQL decides after five, so that at most five of them need a plan of their own. */
const CALLS = 12;

type Calls<Result> = Readonly<Record<string, () => Promise<Result>>>;

let world: ApiWorld;
let receiver: Receiver;
let reads: Readonly<Record<"dispatch" | "path", Calls<ApiAnswer>>>;
let services: Calls<unknown>;
beforeAll(async () => {
  // One connection, which has all plans.
  vi.stubEnv("DATABASE_POOL_SIZE", "1");
  vi.stubEnv("ENCRYPTION_KEY", ENCRYPTION_KEY);
  world = await newApiWorld();
  receiver = await startReceiver();
  const options = { databaseUrl: world.url, licenses: 3_000, resellers: 3, log: () => undefined };
  const { resellerId } = await seedLarge(world.operator, options);
  reads = await makeReads(resellerId);
  services = makeServices(resellerId);
  await world.db.query(sql("analyze"), []);
}, 60_000);
afterAll(async () => {
  await receiver.close();
  await world.close();
});

async function makeReads(resellerId: ResellerId) {
  const key = { resellerId, name: "test", scopes, rateLimitPerMinute: 100_000 };
  const { path, dispatch } = callerWith((await createResellerApiKey(world.operator, key)).apiKey);
  const { prisma } = world.db;
  const webhooks = newWebhooks(world);
  const endpoint = `/webhook-endpoints/whe_${(await webhooks.endpoint(resellerId, { url: receiver.url })).id}`;
  const event = `/events/evt_${await webhooks.emit(resellerId)}`;
  await webhooks.deliver();
  const where = { resellerId, terminatedAt: null };
  const { id: license_id, key: license_key } = await prisma.license.findFirstOrThrow({ where });
  const { bundleId: bundle_id, cycleId: cycle_id } = await world.bundleOffer(resellerId);
  const bundle = { bundle_id, cycle_id, ip_address: world.freshIp() };
  const { bundle_instance_id } = (await dispatch("bundle.register", { form: bundle })).body.data;
  const { id: operation_id } = await prisma.operation.findFirstOrThrow({ where: { resellerId } });
  return {
    dispatch: {
      "license.info": () => dispatch("license.info", { query: { license_id } }),
      "license.list": () => dispatch("license.list", { query: { limit: 100 } }),
      "bundle.info": () => dispatch("bundle.info", { query: { bundle_instance_id } }),
      "operation.info": () => dispatch("operation.info", { query: { operation_id } }),
      me: () => dispatch("me"),
      balance: () => dispatch("balance"),
      products: () => dispatch("products"),
      bundles: () => dispatch("bundles"),
    },
    path: {
      "/license/status": () => path("/license/status", { query: { license_key } }),
      "/license/verify": () => path("/license/verify", { json: JSON.stringify({ license_key }) }),
      "/licenses": () => path("/licenses"),
      "/diagnostics": () => path("/diagnostics"),
      "/operations/{id}": () => path(`/operations/${operation_id}`),
      "/me": () => path("/me"),
      "/webhook-endpoints": () => path("/webhook-endpoints"),
      "/webhook-endpoints/{id}": () => path(endpoint),
      "/events": () => path("/events"),
      "/events/{id}": () => path(event),
    },
  };
}

function makeServices(resellerId: ResellerId): Calls<unknown> {
  const { contextFor, db } = getRuntime();
  const contextOf = (actor: Parameters<typeof contextFor>[0]) => contextFor(actor, { requestId: "test" });
  const [user, system] = [contextOf(actors.user(resellerId)), contextOf({ kind: "system", name: "test" })];
  return {
    session: () => findSession(db, crypto.randomUUID()),
    notifications: () => listNotifications(user),
    overview: () => getOverview(user),
    renewalFailures: () => listRenewalFailures(user, { licenseId: 1, termEndsAt: world.now() }),
    operations: () => listDueOperations(system, { except: [], limit: 10 }),
    deliveries: () => claimDueDeliveries(system, { slots: 10, failingSlots: 5 }),
    mails: () => claimDueMails(system, { slots: 10 }),
  };
}

test("every endpoint that reads is called here", () => {
  const paths = Object.entries(pathTargets).filter(([path, { GET }]) => GET || path === "/license/verify");
  expect(Object.keys(reads.path)).toEqual(paths.map(([path]) => path));
  expect(Object.keys(reads.dispatch)).toEqual(
    operations.filter(({ method }) => method === "GET").map(({ name }) => name),
  );
});

test("more of their calls run by a kept plan than by a new one", async () => {
  const unnamed = new Map<string, number>();
  const { compare } = resultCheck;
  resultCheck.compare = (statement, result) => {
    if (statement.name === undefined) unnamed.set(statement.text, (unnamed.get(statement.text) ?? 0) + 1);
    compare?.(statement, result);
  };
  onTestFinished(() => void Object.assign(resultCheck, { compare }));
  for (const call of [...Object.values(reads.dispatch), ...Object.values(reads.path)]) {
    for (let index = 0; index < CALLS; index++) expect((await call()).status).toBe(200);
  }
  for (const call of Object.values(services)) for (let index = 0; index < CALLS; index++) await call();
  const text = `select name, custom_plans::int as new, generic_plans::int as kept from pg_prepared_statements
                 where custom_plans + generic_plans >= $1 order by name`;
  const called = await getRuntime().db.query(sql<{ name: string; new: number; kept: number }>(text), [CALLS]);
  expect(called.length).toBeGreaterThan(Object.keys(services).length + Object.keys(reads.path).length);
  expect(called.filter((plans) => plans.new > plans.kept)).toEqual([]);
  expect([...unnamed].filter(([, count]) => count >= CALLS)).toEqual([]);
}, 60_000);
