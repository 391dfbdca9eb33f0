import { execFileSync } from "node:child_process";
import { constants, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AnsweredCall } from "#lib/domain/observation.ts";
import { type Desk, newDesk } from "#tests/support/desk.ts";
import { createAccessLog } from "./access-log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "access-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const call: AnsweredCall = {
  interface: "path",
  operation: "license.verify",
  code: "ok",
  status: 200,
  durationMs: 1.23456,
  requestId: "req_1",
  key: "lk_live_ab…yz",
  resellerId: 7,
  source: "203.0.113.9",
};
const refused: AnsweredCall = { ...call, code: "api_key_invalid", status: 401, key: null, resellerId: null };

async function linesOf(all: boolean, calls: readonly AnsweredCall[]): Promise<readonly unknown[]> {
  const file = join(folder, "log");
  const output = openSync(file, "w");
  const log = createAccessLog({ all, output });
  for (const one of calls) log.write(one);
  log.close();
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line));
}

describe("the access log", () => {
  test("has a line for each request, with exactly the documented fields", async () => {
    const secret = { ...call, apiKey: "lk_live_secret", url: "/x?key=secret", headers: { cookie: "secret" } };
    const lines = await linesOf(true, [secret, refused]);
    expect(lines).toEqual([
      { level: 30, time: expect.any(Number), msg: "request", ...call, durationMs: 1.235 },
      { level: 30, time: expect.any(Number), msg: "request", ...refused, durationMs: 1.235 },
    ]);
  });

  test("when off, has only requests without a valid key", async () => {
    const lines = await linesOf(false, [call, refused, { ...call, code: "license_not_found", status: 404 }]);
    expect(lines).toMatchObject([{ code: "api_key_invalid", source: "203.0.113.9", key: null }]);
  });

  test("drops lines instead of delaying requests if nobody reads it, and counts them", () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const output = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    const log = createAccessLog({ all: true, output });
    const startMs = performance.now();
    for (let count = 0; count < 40_000; count++) log.write(call);
    expect(performance.now() - startMs).toBeLessThan(5_000);
    expect(log.droppedCount()).toBeGreaterThan(10_000);
    log.close();
  });
});

describe("a running server", () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await newDesk({ timeoutMs: 500, env: { ACCESS_LOG: "on", SLOW_QUERY_MS: "1" } });
    await desk.start();
  });
  afterAll(() => desk.close());

  const lines = () =>
    desk
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test("logs who asked for what and how it ended, and never the key, known or unknown", async () => {
    const account = await desk.account();
    const unknown = `lk_live_${"x".repeat(40)}`;
    const ask = (key: string) =>
      fetch(`${desk.baseUrl}me?note=a-secret-in-a-query`, { headers: { authorization: `Bearer ${key}` } });
    expect((await ask(account.apiKey)).status).toBe(200);
    expect((await ask(unknown)).status).toBe(401);
    await expect.poll(() => lines().filter(({ msg }) => msg === "request").length, { timeout: 10_000 }).toBe(2);
    const [known, stranger] = lines().filter(({ msg }) => msg === "request");
    expect(known).toMatchObject({
      interface: "path",
      operation: "me.get",
      code: "ok",
      status: 200,
      key: expect.stringContaining("lk_live_"),
      resellerId: expect.any(Number),
      source: "127.0.0.1",
      requestId: expect.stringMatching(/^req_/),
    });
    expect(stranger).toMatchObject({
      operation: "none",
      code: "api_key_invalid",
      status: 401,
      key: null,
      resellerId: null,
    });
    for (const secret of [account.apiKey, unknown, "a-secret-in-a-query"]) expect(desk.output()).not.toContain(secret);
  });

  test("logs slow statements by their name and duration, without values", async () => {
    const slow = lines().filter(({ msg }) => msg === "slow statement");
    expect(slow.length).toBeGreaterThan(0);
    for (const { statement, durationMs, ...rest } of slow) {
      expect(statement).toMatch(/^\S/);
      expect(durationMs).toBeGreaterThanOrEqual(1);
      expect(Object.keys(rest).toSorted()).toEqual(["level", "msg", "time"]);
    }
  });
});
