import { afterAll, beforeAll, expect, test } from "vitest";
import { newWorld, type World } from "#tests/support/world.ts";
import { pruneOldRecords } from "./prune.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const HOUR_MS = 3_600_000;
const ago = (ms: number) => new Date(world.now().getTime() - ms);
const count = async (table: string) =>
  Number((await world.db.query({ text: `select count(*)::int as n from ${table}`, values: [] }))[0]?.n);

test("idempotency records go after 24 hours and verifications after 90 days, however many, and nothing younger", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const keys = `insert into idempotency_records (reseller_id, key, request_hash, locked_until, created_at)
                select $1, $2 || n, '', $3, $3 from generate_series(1, $4::int) n`;
  await world.db.query({ text: keys, values: [id, "old", ago(24 * HOUR_MS + 1), 12_000] });
  await world.db.query({ text: keys, values: [id, "young", ago(24 * HOUR_MS - 1), 3] });
  const checks = `insert into verifications (reseller_id, seen_ip, code, checked_at)
                  select $1, '', '', $2 from generate_series(1, $3::int)`;
  await world.db.query({ text: checks, values: [id, ago(90 * 24 * HOUR_MS + 1), 12_000] });
  await world.db.query({ text: checks, values: [id, ago(90 * 24 * HOUR_MS - 1), 5] });

  expect(await pruneOldRecords(world.operator)).toMatchObject({ idempotencyRecords: 12_000, verifications: 12_000 });
  expect(await count("idempotency_records")).toBe(3);
  expect(await count("verifications")).toBe(5);
  expect(await pruneOldRecords(world.operator)).toMatchObject({ idempotencyRecords: 0, verifications: 0 });
});

test("two instances that prune at once do not get in each other's way", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const checks =
    "insert into verifications (reseller_id, seen_ip, code, checked_at) select $1, '', '', $2 from generate_series(1, 9000)";
  // Behind the younger ones of the test before only by id: they are the newest rows, and still found.
  await world.db.query({ text: "delete from verifications", values: [] });
  await world.db.query({ text: checks, values: [id, ago(100 * 24 * HOUR_MS)] });
  await Promise.all([1, 2, 3].map(() => pruneOldRecords(world.operator)));
  await pruneOldRecords(world.operator);
  expect(await count("verifications")).toBe(0);
});

test("the request log goes after 14 days, and nothing younger", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const key = await world.db.prisma.apiKey.create({
    data: { resellerId: id, name: "k", secretHash: new Uint8Array(32), hint: "", scopes: ["wallet:read"] },
  });
  const requests = `insert into api_requests (api_key_id, started_at, method, operation, status, total_duration_us, max_duration_us, request_id)
                    select $1, $2, 'GET', 'balance', 200, 1, 1, n::text from generate_series(1, $3::int) n`;
  await world.db.query({ text: requests, values: [key.id, ago(14 * 24 * HOUR_MS + 1), 6_000] });
  await world.db.query({ text: requests, values: [key.id, ago(14 * 24 * HOUR_MS - 1), 7] });
  expect(await pruneOldRecords(world.operator)).toMatchObject({ apiRequests: 6_000 });
  expect(await count("api_requests")).toBe(7);
});

test("bulk jobs go with their items 90 days after they ended, and one that has not ended never", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const jobs = `
    with job as (
      insert into bulk_jobs (reseller_id, kind, parameters, state, quoted_total, currency, actor_kind, user_id, created_at, finished_at)
      select $1, 'renew', '{}', case when $2::timestamptz is null then 'running' else 'finished' end::bulk_job_state, 0, 'USD',
             'reseller_user', 1, $3, $2 from generate_series(1, $4::int) returning id
    )
    insert into bulk_job_items (job_id, position, input) select id, 1, '{}' from job`;
  const old = ago(90 * 24 * HOUR_MS + 1);
  await world.db.query({ text: jobs, values: [id, old, old, 12] });
  await world.db.query({ text: jobs, values: [id, ago(90 * 24 * HOUR_MS - 1), old, 2] });
  await world.db.query({ text: jobs, values: [id, null, old, 1] });
  expect(await pruneOldRecords(world.operator)).toMatchObject({ bulkJobs: 12 });
  expect(await count("bulk_jobs")).toBe(3);
  expect(await count("bulk_job_items")).toBe(3);
});
