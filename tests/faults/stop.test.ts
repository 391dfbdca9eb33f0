import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { createServers, findCrashPoints, type Servers } from "./crash-case.ts";
import { type Desk, openDesk } from "./desk.ts";
import { isLong } from "./form.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { findErrors, nameOfStop, runStopCase, type StopCase } from "./stop-case.ts";
import type { VerbName } from "./verbs.ts";

const TIMEOUT_MS = isLong ? 7_200_000 : 300_000;
/** A lease lasts 4 s; the long form stops for longer than any timeout. */
const STOPPED_FOR_MS = isLong ? 70_000 : 0;
/** They mostly sleep. */
const AT_ONCE = isLong ? 16 : 6;

const verbs: readonly VerbName[] = isLong
  ? ["register", "renew", "change_core", "change_ip", "bundle_register", "bundle_renew", "bundle_change_ip"]
  : ["renew", "bundle_register"];

let database: TestDatabase;
let desk: Desk;
let servers: Servers;
let other: ServerProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  desk = await openDesk(database.url);
  servers = createServers({ databaseUrl: database.url });
  other = await startServer({ databaseUrl: database.url, env: { WORKER: "on" } });
}, 60_000);
afterAll(async () => {
  await other?.kill();
  await servers?.close();
  await desk?.close();
  await database?.drop();
});

test(
  `a server that is stopped between any two steps of a request, and resumes after others have dealt with it, has no further effect: ${verbs.join(", ")}`,
  async () => {
    const cases: StopCase[] = [];
    for (const verb of verbs) {
      const points = await findCrashPoints(desk, servers, verb, "none", isLong ? ["before", "after"] : ["after"]);
      for (const [position, point] of points.entries()) {
        const meanwhile = position % 2 === 0 ? "sweeper" : "caller";
        cases.push({ verb, fault: "none", point, meanwhile });
        if (isLong)
          cases.push({ verb, fault: "none", point, meanwhile: meanwhile === "caller" ? "sweeper" : "caller" });
      }
    }
    await servers.close();
    const wrong: string[] = [];
    const queue = cases.values();
    const work = async () => {
      for (const stop of queue) {
        const found = await runStopCase(desk, other, stop, STOPPED_FOR_MS);
        if (found.length > 0) wrong.push([nameOfStop(stop), ...found].join("\n  "));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    process.stdout.write(`${cases.length} stops, ${wrong.length} wrong\n`);
    expect([...wrong, ...(await findErrors(desk))]).toEqual([]);
  },
  TIMEOUT_MS,
);
