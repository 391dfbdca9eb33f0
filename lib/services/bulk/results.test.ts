import { afterAll, beforeAll, expect, test } from "vitest";
import { type ResellerRole, resellerRoles } from "#lib/domain/roles.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { listBulkItems } from "./list-items.ts";
import { quoteLicenseBulk } from "./quote-licenses.ts";
import { streamBulkResults } from "./results.ts";
import { runBulkJob } from "./run.ts";
import { startLicenseBulk } from "./start-licenses.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

test("what the balance was when an item failed is read only by roles that see the wallet", async () => {
  const reseller = await world.reseller({ funds: "45" });
  await reseller.register();
  await reseller.register();
  const owner = world.context(actors.user(reseller.id));
  const input = { change: { kind: "renew" }, selection: { filter: {} } } as const;
  const { jobId } = await startLicenseBulk(owner, { ...input, agreed: await quoteLicenseBulk(owner, input) });
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });

  async function messageFor(role: ResellerRole): Promise<string | null | undefined> {
    const ctx = world.context(actors.user(reseller.id, role));
    const { items } = await listBulkItems(ctx, { jobId, states: ["failed"], after: 0, limit: 10 });
    const message = items[0]?.errorMessage;
    let csv = "";
    for await (const piece of streamBulkResults(ctx, { jobId })) csv += piece;
    expect(csv).toContain(`,${message},`);
    return message;
  }
  const roles = Object.keys(resellerRoles) as ResellerRole[];
  const read = await Promise.all(roles.map(async (role) => [role, await messageFor(role)]));
  const full = "Not enough balance: $14.50 is needed and $1.50 was available.";
  const short = "Not enough balance: $14.50 is needed.";
  expect(Object.fromEntries(read)).toEqual({
    owner: full,
    manager: full,
    support: short,
    finance: full,
    developer: short,
    viewer: full,
  });
});
