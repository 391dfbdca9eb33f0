import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listWantedDetails } from "#lib/db/reconciliation/books.ts";
import { beginComparison, type Comparison, finishComparison } from "#lib/db/reconciliation/comparison.ts";
import type { LicenseProvider, ProviderBookDetail, ProviderBookEntry } from "#lib/ports/license-provider.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { counting } from "#tests/support/other-books.ts";
import { staleLease } from "#tests/support/process.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { readBooks } from "./read-books.ts";

let world: World;
let comparison: Comparison;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  if (comparison) await finish();
  comparison = await begin();
});

async function begin(): Promise<Comparison> {
  const lease = await world.operator.leases.begin(async () => false);
  const start = { provider: "sandbox", traits: counting, actor: "test", now: world.now() };
  const begun = await beginComparison(world.db, lease, start);
  if (!begun) throw new Error("another comparison is under way");
  return begun;
}
const finish = () =>
  finishComparison(world.db, comparison, {
    now: world.now(),
    licenseCount: 0,
    differenceCount: 0,
    failureMessage: null,
  });

const term = { expiresOn: "2027-05-01" };
const entry = (
  name: number,
  facts: Partial<ProviderBookEntry["facts"]>,
  reference = `LIC-${name}`,
): ProviderBookEntry => ({
  reference,
  providerReference: String(name),
  facts: { product: "p", address: "198.51.100.1", cores: null, state: "active", term, ...facts },
});
const record = (name: string): ProviderBookDetail => ({
  providerReference: name,
  reference: `LIC-${name}`,
  facts: { address: "198.51.100.9", cores: 2, state: "active", term: { expiresAt: "2027-05-01T12:00:00Z" } },
});

/** A provider with these books that returns so many details per read. */
function upstream(entries: readonly ProviderBookEntry[], atOnce = Number.POSITIVE_INFINITY) {
  const asked: string[][] = [];
  const provider: LicenseProvider = {
    ...world.provider,
    traits: counting,
    async *bookPages() {
      yield entries;
    },
    async *bookDetails(names) {
      asked.push([...names]);
      yield* names.slice(0, atOnce).map((name) => (name === "404" ? null : record(name)));
    },
  };
  const ctx = world.context(actors.admin(null), { providers: new Map([["sandbox", provider]]) });
  const read = (complete: boolean) => readBooks(ctx, comparison, { complete, pauseMs: 1 });
  return { asked, read };
}

const kept = () =>
  world.db.query(
    sql<{ reference: string; cores: number | null; expires_at: Date | null }>(
      "select reference, cores, expires_at from compared_book_entries where comparison_id = $1 order by reference",
    ),
    [comparison.id],
  );

test("a process whose comparison another one has taken over or ended stores nothing more in it", async () => {
  const { read } = upstream([entry(1, {})]);
  const mine = comparison;
  comparison = { ...mine, lease: staleLease() };
  await expect(read(false)).rejects.toThrow("another process has ended the comparison");
  expect(await kept()).toEqual([]);
  comparison = mine;
  await finish();
  await expect(read(false)).rejects.toThrow("another process has ended the comparison");
});

describe("details of single licenses", () => {
  test("are read first for unknown licenses, then for hidden addresses, then for open cases, never for ended licenses", async () => {
    await world.db.query(
      sql(`insert into reconciliation_cases (kind, provider, reference, facts, first_seen_at, last_seen_at)
             values ('differs', 'sandbox', 'LIC-5', '{}', now(), now())`),
      [],
    );
    const metered = { cores: undefined };
    const { asked, read } = upstream([
      entry(1, {}),
      entry(2, metered),
      entry(3, { state: "terminated", ...metered }),
      entry(4, { address: undefined }),
      entry(5, metered),
      entry(6, {}, "provider:6"),
    ]);
    await read(false);
    expect(asked).toEqual([["6", "4", "5", "2"]]);
  });

  test("rotate, so each license gets its turn", async () => {
    const entries = Array.from({ length: 60 }, (_, index) => entry(index + 1, { cores: undefined }));
    await upstream(entries).read(false);
    const chosen = new Set<string>();
    for (let turn = 0; turn < 40; turn += 1) {
      for (const { name } of await listWantedDetails(world.db, comparison, 5)) chosen.add(name);
      await finish();
      comparison = await begin();
      await upstream(entries, 0).read(false);
    }
    expect(chosen.size).toBeGreaterThan(40);
  });

  test("complete the entry, and add our reference if it had none", async () => {
    const { read } = upstream([
      entry(7, { cores: undefined }),
      entry(8, { cores: undefined }, "provider:8"),
      entry(9, {}),
    ]);
    await read(false);
    const expires_at = new Date("2027-05-01T12:00:00Z");
    expect(await kept()).toEqual([
      { reference: "LIC-7", cores: 2, expires_at },
      { reference: "LIC-8", cores: 2, expires_at },
      { reference: "LIC-9", cores: null, expires_at: null },
    ]);
  });

  test("two entries with one reference stay two", async () => {
    const provider: LicenseProvider = {
      ...world.provider,
      traits: counting,
      async *bookPages() {
        yield [entry(10, {}, "provider:10"), entry(11, {}, "provider:11")];
      },
      async *bookDetails() {
        yield { ...record("10"), reference: "LIC-same" };
        yield { ...record("11"), reference: "LIC-same" };
      },
    };
    const ctx = world.context(actors.admin(null), { providers: new Map([["sandbox", provider]]) });
    await readBooks(ctx, comparison, { complete: false });
    expect((await kept()).map(({ reference }) => reference)).toEqual(["LIC-same", "provider:11"]);
  });

  test("a complete reading resumes after a pause, and stops when the provider stays silent", async () => {
    const entries = Array.from({ length: 7 }, (_, index) => entry(400 + index, { cores: undefined }));
    const slow = upstream(entries, 3);
    await slow.read(true);
    expect(slow.asked.map((names) => names.length)).toEqual([7, 4, 1]);
    expect((await kept()).filter(({ cores }) => cores === 2)).toHaveLength(6);

    const silent = upstream([entry(500, { cores: undefined })], 0);
    await silent.read(true);
    expect(silent.asked.length).toBeGreaterThan(3);
  });
});
