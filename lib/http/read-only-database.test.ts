import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { getRuntime } from "#lib/runtime.ts";
import { type ApiAnswer, type ApiUser, type ApiWorld, newApiWorld } from "#tests/support/api.ts";
import { prepareOperations } from "#tests/support/every-operation.ts";
import { operations } from "./dispatch-api/interface.ts";
import { pathTargets } from "./path-api/interface.ts";

let world: ApiWorld;
let user: ApiUser;
let calls: Readonly<Record<string, () => Promise<ApiAnswer>>>;

/** Simulates a standby before its promotion, or a demoted primary. */
async function setReadOnly(on: boolean): Promise<void> {
  const name = new URL(world.url).pathname.slice(1);
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  await client.query("set default_transaction_read_only = off");
  await client.query(`alter database ${name} set default_transaction_read_only = ${on ? "on" : "off"}`);
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.end();
}

beforeAll(async () => {
  process.env.ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
  world = await newApiWorld();
  user = await world.user();
  const operationCalls = await prepareOperations(world, user);
  calls = Object.fromEntries(Object.entries(operationCalls).map(([name, call]) => [name, () => call(user)]));
  await calls["diagnostics.report"]?.();
  await setReadOnly(true);
  // Wait until the pool has dropped the cut connections.
  await vi.waitFor(
    async () => expect(verdict((await calls["license.renew"]?.()) as ApiAnswer)).toEqual(READ_ONLY),
    10_000,
  );
});
afterAll(async () => {
  await setReadOnly(false);
  await world.close();
});

const endpoints = [...operations, ...Object.values(pathTargets).flatMap((methods) => Object.values(methods))];
const writes = endpoints.filter(({ method, acceptsKey }) => acceptsKey || method === "PATCH" || method === "DELETE");
const reads = endpoints.filter((endpoint) => !writes.includes(endpoint));
const READ_ONLY = { status: 503, code: "UNAVAILABLE", retryAfter: "30", saysSo: true };

function verdict({ status, headers, body }: ApiAnswer) {
  const saysSo = /read-only/.test(JSON.stringify(body));
  return { status, code: body?.code, retryAfter: headers.get("retry-after"), saysSo };
}

test("tests/support/every-operation.ts has every operation of both interfaces", () => {
  expect(Object.keys(calls).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
});

test.each(writes)("on a read-only database $name is 503 with Retry-After and an explanation", async ({ name }) => {
  expect(verdict((await calls[name]?.()) as ApiAnswer)).toEqual(READ_ONLY);
});

test.each(reads)("on a read-only database $name answers", async ({ name }) => {
  expect(await calls[name]?.()).toMatchObject({ status: 200 });
});

test("an idempotency key on a read-only database gets 503 and stays unused", async () => {
  const form = { license_id: (await user.path("/licenses")).body.licenses[0].license_id };
  const call = { form, headers: { "idempotency-key": "read-only" } };
  expect(verdict(await user.dispatch("license.renew", call))).toEqual(READ_ONLY);
});

test("a change after the process's lease has expired is 503 for the same reason", async () => {
  await vi.waitFor(() => expect(getRuntime().processLease.isAlive()).toBe(false), { timeout: 10_000 });
  expect(verdict((await calls["license.renew"]?.()) as ApiAnswer)).toEqual(READ_ONLY);
});
