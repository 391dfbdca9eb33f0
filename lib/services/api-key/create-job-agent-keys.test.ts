import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { BulkJobId } from "#lib/domain/ids.ts";
import { runBulkJob } from "#lib/services/bulk/run.ts";
import { planLicenseImport } from "#lib/services/license/plan-import.ts";
import { startLicenseImport } from "#lib/services/license/start-import.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createJobAgentKeys } from "./create-job-agent-keys.ts";
import { listEarlierAgentKeys } from "./list-earlier-agent-keys.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const person = () => world.context(actors.user(reseller.id));

async function register(rows: readonly string[]): Promise<number> {
  const text = ["product,cycle,ip_address", ...rows].join("\n");
  const { registrations, total } = await planLicenseImport(person(), { text });
  const agreed = { text, agreedCount: registrations.length, agreedTotal: total, allowPrivateAddresses: false };
  return (await startLicenseImport(person(), agreed)).jobId;
}

test("each server of a job gets one line's keys, of its registered licenses alone", async () => {
  const [one, other] = [world.freshIp(), world.freshIp()];
  const jobId = await register([
    `control_panel,1,${one}`,
    "control_panel,1,192.0.2.10",
    `malware_scanner,Monthly,${one}`,
    `control_panel,1,${other}`,
  ]);
  expect(await codeOf(createJobAgentKeys(person(), { jobId }))).toBe("state_invalid");
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
  const servers = await createJobAgentKeys(person(), { jobId });
  expect(servers.map(({ address, products, keys }) => [address, products, keys.length])).toEqual([
    [one, ["Server Control Panel", "Malware Scanner"], 2],
    [other, ["Server Control Panel"], 1],
  ]);
  const listEarlier = () => listEarlierAgentKeys(person(), { jobId: jobId as BulkJobId });
  expect(await listEarlier()).toEqual([]);
  await createJobAgentKeys(person(), { jobId });
  expect(await listEarlier()).toHaveLength(3);
});

test("another reseller's job is not found", async () => {
  const jobId = await register([`control_panel,1,${world.freshIp()}`]);
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
  const stranger = world.context(actors.user((await world.reseller()).id));
  expect(await codeOf(createJobAgentKeys(stranger, { jobId }))).toBe("not_found");
});

test("of a job that registered 500 licenses each gets a key; of a larger one, none does", async () => {
  const jobId = await register([`control_panel,1,${world.freshIp()}`]);
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
  const copies = `with copied as (
      insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, provisioned_at)
      select left(l.key, 18) || n, l.reseller_id, l.product_id, l.cycle_id, '10.0.' || n / 250 || '.' || n % 250, l.issued_at, l.anchored_at,
             l.expires_at, l.provisioned_at
        from licenses l join bulk_job_items i on i.license_id = l.id cross join generate_series($2::int, $3::int) n
       where i.job_id = $1 and i.position = 1 returning id
    )
    insert into bulk_job_items (reseller_id, job_id, position, input, state, license_id)
    select i.reseller_id, i.job_id, i.position + c.id, i.input, i.state, c.id from copied c, bulk_job_items i where i.job_id = $1 and i.position = 1`;
  const copy = (from: number, to: number) => world.db.query(sql(copies), [jobId, from, to]);
  await copy(2, 500);
  const servers = await createJobAgentKeys(person(), { jobId });
  expect(servers.flatMap(({ keys }) => keys)).toHaveLength(500);
  await createJobAgentKeys(person(), { jobId });
  expect(await listEarlierAgentKeys(person(), { jobId: jobId as BulkJobId })).toHaveLength(500);
  await copy(501, 501);
  expect(await codeOf(createJobAgentKeys(person(), { jobId }))).toBe("state_invalid");
});
