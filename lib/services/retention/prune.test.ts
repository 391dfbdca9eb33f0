import { runMigrations } from "graphile-worker";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { rehearsed } from "#tests/support/faults.ts";
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
  Number((await world.db.query(sql(`select count(*)::int as n from ${table}`), []))[0]?.n);

test("idempotency records are deleted after 24 hours, however many, and no younger ones", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const keys = `insert into idempotency_records (reseller_id, key, request_hash, lease_token, created_at)
                select $1, $2 || n, '', gen_random_uuid(), $3 from generate_series(1, $4::int) n`;
  await world.db.query(sql(keys), [id, "old", ago(24 * HOUR_MS + 1), 12_000]);
  await world.db.query(sql(keys), [id, "young", ago(24 * HOUR_MS - 1), 3]);
  expect(await pruneOldRecords(world.operator)).toMatchObject({ idempotencyRecords: 12_000 });
  expect(await count("idempotency_records")).toBe(3);
  expect(await pruneOldRecords(world.operator)).toMatchObject({ idempotencyRecords: 0 });
});

test("answers to admins' own forms are deleted after 24 hours, and no younger ones", async () => {
  const { id } = await world.db.prisma.user.create({
    data: { email: "admin@desk.example", name: "Admin", passwordHash: "", role: "owner" },
  });
  const keys = `insert into admin_idempotency_records (user_id, key, request_hash, lease_token, created_at)
                select $1, $2 || n, '', gen_random_uuid(), $3 from generate_series(1, $4::int) n`;
  await world.db.query(sql(keys), [id, "old", ago(24 * HOUR_MS + 1), 5_001]);
  await world.db.query(sql(keys), [id, "young", ago(24 * HOUR_MS - 1), 2]);
  expect(await pruneOldRecords(world.operator)).toMatchObject({ adminIdempotencyRecords: 5_001 });
  expect(await count("admin_idempotency_records")).toBe(2);
});

test.each(["expires_at", "idle_at", "revoked_at"])(
  "sessions are deleted 30 days after %s, if it came first",
  async (end) => {
    const { id } = await world.db.prisma.user.create({
      data: { email: `${end}@desk.example`, name: "Signed in", passwordHash: "", role: "owner" },
    });
    const addSession = async (endedAt: Date) => {
      const ends = { expires_at: world.now(), idle_at: world.now(), revoked_at: null, [end]: endedAt };
      await world.db.query(
        sql(`insert into sessions (id, user_id, address, expires_at, idle_at, revoked_at)
           values (gen_random_uuid(), $1, '203.0.113.9', $2, $3, $4)`),
        [id, ends.expires_at, ends.idle_at, ends.revoked_at],
      );
    };
    const limit = 30 * 24 * HOUR_MS;
    for (const age of [limit + 1, limit - 1]) await addSession(ago(age));
    expect(await pruneOldRecords(world.operator)).toMatchObject({ sessions: 1 });
    expect(await world.db.prisma.session.count({ where: { userId: id } })).toBe(1);
  },
);

test("the address of an API key's last use is cleared 30 days after the key ended, and the key stays", async () => {
  const { id: resellerId } = await world.reseller({ funds: "0" });
  const limit = 30 * 24 * HOUR_MS;
  const [old, young] = [ago(limit + 1), ago(limit - 1)];
  const keys = [
    { name: "revoked", revokedAt: old, expiresAt: world.now() },
    { name: "expired", expiresAt: old },
    { name: "just revoked", revokedAt: young },
    { name: "live" },
  ];
  await world.db.prisma.apiKey.createMany({
    data: keys.map((key) => ({
      ...{ resellerId, secretHash: Buffer.from(`ended ${key.name}`), hint: "lk_live_a...b", scopes: [] },
      ...{ lastUsedAt: old, lastUsedFrom: "203.0.113.9", ...key },
    })),
  });
  expect(await pruneOldRecords(world.operator)).toMatchObject({ keyAddresses: 2 });
  const left = await world.db.prisma.apiKey.findMany({ where: { resellerId, lastUsedFrom: { not: null } } });
  expect(left.map(({ name }) => name).toSorted()).toEqual(["just revoked", "live"]);
  expect(
    await world.db.prisma.apiKey.count({
      where: { resellerId, lastUsedAt: old, name: { in: ["revoked", "expired"] } },
    }),
  ).toBe(2);
});

test("two instances that prune concurrently do not block each other", async () => {
  const { id } = await world.db.prisma.user.create({
    data: { email: "mailed@desk.example", name: "Mailed", passwordHash: "", role: "owner" },
  });
  const mails = `insert into mails (message_id, kind, user_id, recipient, data, next_attempt_at, send_until, created_at)
                 select gen_random_uuid(), 'x', $1, '', '{}', $2, $2, $2 from generate_series(1, 9000)`;
  await world.db.query(sql(mails), [id, ago(100 * 24 * HOUR_MS)]);
  await Promise.all([1, 2, 3].map(() => pruneOldRecords(world.operator)));
  await pruneOldRecords(world.operator);
  expect(await count("mails")).toBe(0);
});

test("bulk jobs are deleted with their items 90 days after they ended, unfinished ones never", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const jobs = `
    with job as (
      insert into bulk_jobs (reseller_id, kind, parameters, state, quoted_total, currency, actor_kind, user_id, created_at, finished_at)
      select $1, 'renew', '{}', case when $2::timestamptz is null then 'running' else 'finished' end::bulk_job_state, 0, 'USD',
             'reseller_user', 1, $3, $2 from generate_series(1, $4::int) returning id, reseller_id
    )
    insert into bulk_job_items (job_id, reseller_id, position, input) select id, reseller_id, 1, '{}' from job`;
  const old = ago(90 * 24 * HOUR_MS + 1);
  await world.db.query(sql(jobs), [id, old, old, 12]);
  await world.db.query(sql(jobs), [id, ago(90 * 24 * HOUR_MS - 1), old, 2]);
  await world.db.query(sql(jobs), [id, null, old, 1]);
  expect(await pruneOldRecords(world.operator)).toMatchObject({ bulkJobs: 12 });
  expect(await count("bulk_jobs")).toBe(3);
  expect(await count("bulk_job_items")).toBe(3);
});

test("unfinished jobs of test mode are deleted 90 days after it was started over", async () => {
  const { id } = await world.reseller({ funds: "0" });
  const job = (resellerId: number) =>
    world.db.query(
      sql(`insert into bulk_jobs (reseller_id, kind, parameters, state, quoted_total, currency, actor_kind, user_id, created_at)
           values ($1, 'renew', '{}', 'running', 0, 'USD', 'reseller_user', 1, $2)`),
      [resellerId, ago(400 * 24 * HOUR_MS)],
    );
  const closed = async (at: Date | null) => {
    const opened = "select open_sandbox($1, 100, 'test', $2) as id";
    const [sandbox] = await world.db.query(sql<{ id: number }>(opened), [id, world.now()]);
    await job(Number(sandbox?.id));
    await world.db.query(sql("update resellers set sandbox_closed_at = $2 where id = $1"), [sandbox?.id, at]);
  };
  const before = await count("bulk_jobs");
  await job(id);
  await closed(ago(90 * 24 * HOUR_MS + 1));
  await closed(ago(90 * 24 * HOUR_MS - 1));
  await closed(null);
  expect(await pruneOldRecords(world.operator)).toMatchObject({ jobsOfClosedSandboxes: 1 });
  expect(await count("bulk_jobs")).toBe(before + 3);
});

test("comparisons are deleted after 90 days, except each provider's newest finished one, which its page shows", async () => {
  const names = [1, 2].map((n) => `compared-${n}`);
  await world.db.prisma.provider.createMany({ data: names.map((name) => ({ name, kind: "sandbox" })) });
  const comparisons = `
    insert into provider_comparisons (provider, actor, started_at, lease_token, finished_at)
    select $1, 'system:test', $2, gen_random_uuid(), $2 from generate_series(1, $3::int)`;
  const running = `
    insert into provider_comparisons (provider, actor, started_at, lease_token)
    values ($1, 'system:test', $2, gen_random_uuid())`;
  const old = ago(90 * 24 * HOUR_MS + 1);
  await world.db.query(sql(comparisons), [names[0], old, 6_000]);
  await world.db.query(sql(comparisons), [names[1], old, 10]);
  await world.db.query(sql(comparisons), [names[0], ago(90 * 24 * HOUR_MS - 1), 3]);
  await world.db.query(sql(running), [names[1], ago(0)]);
  expect(await pruneOldRecords(world.operator)).toMatchObject({ comparisons: 6_009 });
  const left = await world.db.query(
    sql(
      "select provider, count(*)::int as n from provider_comparisons where provider = any ($1) group by provider order by 1",
    ),
    [names],
  );
  expect(left).toEqual([
    { provider: "compared-1", n: 3 },
    { provider: "compared-2", n: 2 },
  ]);
});

test("a rejected registration's copy is deleted 90 days after its term would have ended, unless it has a case", async () => {
  const reseller = await world.reseller();
  const { discardedRegistration, reconciliationCase } = world.db.prisma;
  const refuse = async (endsAt: Date) => {
    const { licenseKey } = await reseller.register({ ip: rehearsed.losesRequest });
    const key = { licenseKey, resellerId: reseller.id };
    await reconcileOperations(world.operator, { early: true });
    return discardedRegistration.update({ where: { licenseKey_resellerId: key }, data: { endsAt } });
  };
  const limit = 90 * 24 * HOUR_MS;
  await refuse(ago(limit + 1));
  const [young, aged] = [await refuse(ago(limit - 1)), await refuse(ago(limit + 1))];
  await reconciliationCase.create({
    data: {
      kind: "late_success",
      providerName: "sandbox",
      reference: aged.licenseKey,
      operationId: aged.operationId,
      facts: {},
      firstSeenAt: world.now(),
      lastSeenAt: world.now(),
    },
  });
  expect(await pruneOldRecords(world.operator)).toMatchObject({ discardedRegistrations: 1 });
  const left = await discardedRegistration.findMany({ orderBy: { endsAt: "desc" } });
  expect(left.map(({ licenseKey }) => licenseKey)).toEqual([young.licenseKey, aged.licenseKey]);
});

test("jobs of the queue that are not tried again are deleted 30 days after their last attempt, and no others", async () => {
  expect(await pruneOldRecords(world.operator)).toMatchObject({ failedJobs: 0 });
  await runMigrations({ connectionString: world.url });
  const add = async (key: string, lastAt: Date, { attempts = 5, locked = false } = {}) => {
    await world.db.query(sql("select graphile_worker.add_job('deliver_webhooks', job_key => $1, max_attempts => 5)"), [
      key,
    ]);
    const change = `update graphile_worker._private_jobs
                       set attempts = $2, run_at = $3, locked_at = case when $4 then now() end where key = $1`;
    await world.db.query(sql(change), [key, attempts, lastAt, locked]);
  };
  const limit = 30 * 24 * HOUR_MS;
  await add("old", ago(limit + 1));
  await add("young", ago(limit - 1));
  await add("tried again", ago(limit + 1), { attempts: 4 });
  await add("running", ago(limit + 1), { locked: true });
  expect(await pruneOldRecords(world.operator)).toMatchObject({ failedJobs: 1 });
  const left = await world.db.query(sql<{ key: string }>("select key from graphile_worker.jobs order by id"), []);
  expect(left.map(({ key }) => key)).toEqual(["young", "tried again", "running"]);
});
