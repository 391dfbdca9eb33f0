import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listProviderHealth } from "#lib/db/provider/health.ts";
import type { LicenseProvider, ProviderHealth } from "#lib/ports/license-provider.ts";
import type { ProviderRegistry } from "#lib/ports/provider-registry.ts";
import { listProviders } from "#lib/services/provider/list.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { keepProviderHealth } from "./keep-provider-health.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const NAME = "sandbox";
const fresh: ProviderHealth = {
  state: "closed",
  accepts: true,
  lastSuccessAt: null,
  lastFailure: null,
  lastLatencyMs: null,
};
const at = (minute: number) => new Date(Date.UTC(2027, 0, 1, 12, minute));
const failure = (minute: number) => ({ at: at(minute), message: "The provider did not respond in time." });

/** What a process shows that has sent nothing itself. */
async function readAfterRestart() {
  const providers: ProviderRegistry = {
    ...world.operator.providers,
    get: async () => ({ name: NAME, health: () => fresh }) as unknown as LicenseProvider,
  };
  const listed = await listProviders(world.context(actors.admin(null, "support"), { providers }));
  return listed.find(({ name }) => name === NAME)?.health;
}

test("a process that restarts shows the last answers of the ones before, and probes what failed last", async () => {
  const keep = keepProviderHealth(world.db);
  expect(await readAfterRestart()).toEqual(fresh);
  keep(NAME, { ...fresh, lastSuccessAt: at(1), lastLatencyMs: 80 });
  await vi.waitFor(
    async () => expect(await readAfterRestart()).toMatchObject({ lastSuccessAt: at(1), state: "closed" }),
    10_000,
  );
  keep(NAME, { ...fresh, lastSuccessAt: at(1), lastFailure: failure(2), lastLatencyMs: 80 });
  await vi.waitFor(
    async () =>
      expect(await readAfterRestart()).toMatchObject({
        lastFailure: failure(2),
        lastLatencyMs: 80,
        state: "half_open",
      }),
    10_000,
  );
});

test("another process that saw less does not overwrite what is newer", async () => {
  keepProviderHealth(world.db)(NAME, { ...fresh, lastSuccessAt: at(0), lastFailure: failure(1) });
  keepProviderHealth(world.db)(NAME, { ...fresh, lastSuccessAt: at(5) });
  await vi.waitFor(async () => expect((await listProviderHealth(world.db))[0]?.lastSuccessAt).toEqual(at(5)), 10_000);
  expect((await listProviderHealth(world.db))[0]?.lastFailureAt).toEqual(at(2));
  expect((await readAfterRestart())?.state).toBe("closed");
});
