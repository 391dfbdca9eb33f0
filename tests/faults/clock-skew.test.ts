import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compiledCode } from "#tests/compiled-code.ts";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { sql } from "#tests/sql.ts";
import { findDifferences } from "./books.ts";
import { post } from "./client.ts";
import { type Desk, openDesk } from "./desk.ts";
import { isLong } from "./form.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { verbs } from "./verbs.ts";

const TIMEOUT_MS = 120_000;
const LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const canFake = existsSync(LIBRARY) || installFaketime();

/** If it is not available, the tests are skipped. */
function installFaketime(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  spawnSync("apt-get", ["install", "-y", "faketime"], { stdio: "ignore", timeout: 60_000 });
  return existsSync(LIBRARY);
}

const wrongClock = (skew: string) => ({ LD_PRELOAD: LIBRARY, FAKETIME: skew, FAKETIME_DONT_FAKE_MONOTONIC: "1" });

const PROVIDER_ANSWERS_AFTER_3_S = "192.0.2.30";
const productTypes = ["web_server", "control_panel", "hardened_kernel", "malware_scanner", "backup_agent"];
const skews = ["+120s", "-120s", "+1d", ...(isLong ? ["-1d", "+30s", "-30s"] : [])];

let database: TestDatabase;
let desk: Desk;
beforeAll(async () => {
  database = await createTestDatabase();
  desk = await openDesk(database.url);
}, TIMEOUT_MS);
afterAll(async () => {
  await desk?.close();
  await database?.drop();
});

/** Concurrent orders to one server that take the provider 3 seconds each; returns their statuses. */
async function orderAt(server: ServerProcess): Promise<(number | undefined)[]> {
  const buyer = await desk.newBuyer("500");
  const { apiKey } = await desk.newKey(buyer.resellerId);
  const requests = await Promise.all(productTypes.map((type) => verbs.renew.prepare(desk, buyer, null, type)));
  for (const { parameters } of requests) {
    await desk.place({ licenseId: Number(parameters.license_id) }, PROVIDER_ANSWERS_AFTER_3_S);
  }
  const answers = await Promise.all(
    requests.map((request) => post(server.url, { apiKey, idempotencyKey: randomUUID() }, request)),
  );
  await desk.clearRehearsed();
  return answers.map((answer) => answer?.status);
}

test.skipIf(!canFake).each(skews)(
  "two instances whose clocks are %s apart: every order is carried out and charged once",
  async (skew) => {
    const env = { PROVIDER_TIMEOUT_MS: "9000", WORKER: "on" };
    const [right, wrong] = await Promise.all([
      startServer({ databaseUrl: database.url, env }),
      startServer({ databaseUrl: database.url, env: { ...env, ...wrongClock(skew) } }),
    ]);
    try {
      for (const server of [right, wrong]) expect(await orderAt(server)).toEqual(Array(5).fill(200));
      const text = "select max(abs(extract(epoch from created_at - clock_timestamp()))) as seconds from operations";
      const [row] = await desk.db.query(sql<{ seconds: string }>(text), []);
      expect(Number(row?.seconds), "times are the database's").toBeLessThan(TIMEOUT_MS / 1_000);
      expect(await findDifferences(desk.db)).toEqual([]);
    } finally {
      await right.kill();
      await wrong.kill();
    }
  },
  TIMEOUT_MS,
);

test.skipIf(!canFake)("a server whose clock differs from the database's by more than 2 seconds does not start", () => {
  const check = (skew: string) =>
    spawnSync(process.execPath, [join(import.meta.dirname, "clock-check-process.ts"), database.url], {
      encoding: "utf8",
      env: { ...compiledCode, PATH: process.env.PATH, NODE_ENV: "test", ...wrongClock(skew) },
    });
  expect(check("+0s").stderr).toBe("");
  expect(check("+120s").stderr).toMatch(/^This machine's clock is 1\d\d\.\d s ahead of the database's\./);
  expect(check("-5s").stderr).toMatch(/^This machine's clock is \d\.\d s behind the database's\./);
});
