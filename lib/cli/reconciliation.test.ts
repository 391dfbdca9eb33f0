import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { runHere } from "#tests/support/command-line.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
  // The command line uses the machine's clock.
  world.setClock(new Date(Date.now() - 3_600_000));
});
afterAll(() => world.close());

async function run(...args: string[]) {
  const { code, stdout, stderr } = await runHere(["reconciliation", ...args], {
    DATABASE_URL: world.url,
    API_KEY_PEPPER: PEPPER,
  });
  expect(stderr).toBe("");
  return { code, said: JSON.parse(stdout) };
}

test("a comparison runs to the end and summarizes, and its exit code shows whether the books agree", async () => {
  const reseller = await world.reseller();
  const { licenseKey } = await reseller.register();
  const compared = { provider: "sandbox", outcome: "compared", licenses: 1, not_reported: {} };
  expect(await run("compare")).toEqual({ code: 0, said: [{ ...compared, differences: 0, open_cases: {} }] });

  await world.db.query(
    // From the day of issue: the month after one of 28 days can have 31 (contract 3.4).
    sql(`update sandbox_provider_licenses s set expires_at = l.anchored_at + interval '2 months'
           from licenses l where l.key = s.reference and l.key = $1`),
    [licenseKey],
  );
  expect(await run("compare", "--complete")).toEqual({
    code: 3,
    said: [{ ...compared, differences: 1, open_cases: { differs: 1 } }],
  });
});

test("a case is listed with its value, shown with the effect of each action, and settled", async () => {
  const { said: listed } = await run("list");
  expect(listed.cases).toMatchObject([{ kind: "differs", value: { what: "unpaid", amount: 14.5, currency: "USD" } }]);
  const id = String(listed.cases[0].case);
  const { said: shown } = await run("show", "--case", id);
  expect(shown.actions).toContainEqual({
    action: "charge",
    possible: true,
    text: "Copies the provider's term to our license and charges it as a renewal at the current price.",
    wallet: -14.5,
    released: 0,
    currency: "USD",
  });
  expect(shown.actions).toContainEqual({
    action: "refund",
    possible: false,
    text: "The provider does not provide less than what was charged.",
  });
  expect(await run("act", "charge", "--case", id, "--reason", "renewed before the failover")).toEqual({
    code: 0,
    said: { case: Number(id), resolution: "adopted" },
  });
  expect((await run("compare")).code).toBe(0);
});

test("a comparison of another process is waited for; exit code 1 if a provider cannot be compared", async () => {
  await world.db.query(
    sql(`with other as (
             insert into processes (id, host, pid, job_workers, started_at, lease_until)
             values (gen_random_uuid(), 'test', 0, '{}', now(), now() + interval '3 seconds') returning id
           )
           insert into provider_comparisons (provider, actor, started_at, owner_id, lease_token)
           select 'sandbox', 'x', now(), id, id from other`),
    [],
  );
  const { code, stdout, stderr } = await runHere(["reconciliation", "compare"], {
    DATABASE_URL: world.url,
    API_KEY_PEPPER: PEPPER,
  });
  expect(stderr).toBe("Waiting: sandbox is being compared.\n");
  expect([code, JSON.parse(stdout)[0].outcome]).toEqual([0, "compared"]);

  await world.db.query(
    sql(
      "insert into providers (name, kind, base_url, credentials) values ('up', 'dispatch', 'https://up.example/api/v1/', '\\x00')",
    ),
    [],
  );
  const unreadable = await run("compare");
  expect([unreadable.code, unreadable.said[1]]).toMatchObject([1, { provider: "up", outcome: "unreadable" }]);
});
