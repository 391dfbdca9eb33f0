import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { createServers, nameOf, runCrashCase, type Servers } from "./crash-case.ts";
import { planCrashes } from "./crash-plan.ts";
import { type Desk, openDesk } from "./desk.ts";
import { isLong, seed } from "./form.ts";
import type { VerbName } from "./verbs.ts";

const TIMEOUT_MS = isLong ? 3_600_000 : 300_000;
const MAX_SHOWN = 10;
const PROGRESS_EVERY = 25;

/** Kills a server at every step of these verbs, with every fault of the provider, and compares all books. */
export function defineCrashSuite(verbs: readonly VerbName[]): void {
  let database: TestDatabase;
  let desk: Desk;
  let servers: Servers;
  beforeAll(async () => {
    database = await createTestDatabase();
    desk = await openDesk(database.url);
    servers = createServers({ databaseUrl: database.url });
  }, 60_000);
  afterAll(async () => {
    await servers?.close();
    await desk?.close();
    await database?.drop();
  });

  test(
    `whichever step the process dies at, every request is carried out and charged at most once: ${verbs.join(", ")}`,
    async () => {
      const { cases, pointCount, faultCount } = await planCrashes(desk, servers, verbs);
      const startedAt = performance.now();
      const wrong: string[] = [];
      for (const [position, crash] of cases.entries()) {
        if (isLong && position % PROGRESS_EVERY === 0) process.stdout.write(`${position} of ${cases.length} runs\n`);
        const found = await runCrashCase(desk, servers, crash);
        if (found.length === 0) continue;
        wrong.push([nameOf(crash), ...found].join("\n  "));
        process.stdout.write(`${wrong.at(-1)}\n`);
        if (wrong.length >= MAX_SHOWN) break;
      }
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      process.stdout.write(
        `${verbs.join(", ")}: ${pointCount} crash points in ${verbs.length} verbs × ${faultCount} faults, ` +
          `${cases.length} runs, ${wrong.length} wrong, seed ${seed}, ${seconds} s\n`,
      );
      expect(wrong, wrong.join("\n")).toEqual([]);
    },
    TIMEOUT_MS,
  );
}
