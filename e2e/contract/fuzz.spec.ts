import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRuntime } from "#lib/runtime.ts";
import { verifyWallets } from "#lib/services/wallet/verify.ts";
import { digestTenant } from "#tests/support/digest-tenant.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { listActions } from "../support/build.ts";
import { ensureCatalog } from "../support/catalog.ts";
import { fuzz } from "../support/fuzz/fuzz.ts";
import { findFaults, judge, judgeRaw } from "../support/fuzz/judge.ts";
import { readMemory } from "../support/fuzz/memory.ts";
import type { FuzzRequest } from "../support/fuzz/request.ts";
import { learnActions } from "../support/fuzz/web.ts";
import { newFuzzWorld } from "../support/fuzz/world.ts";
import { startOwnServer } from "../support/own-server.ts";
import { expect, test } from "../support/test.ts";
import { systemContext } from "../support/world.ts";

/** `npm run fuzz -- --requests=1000000 --seed=7 --from=0` sets these. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_271);
const FROM = Number(process.env.FUZZ_FROM ?? 0);
const MINUTES = Number(process.env.FUZZ_MINUTES ?? 10);
/** A stock Next server has the same handlers behind another door. */
const REQUESTS = { server: 15_000, next: 5_000 };
const MAX_GROWTH_MB = { kept: 16, native: 48 };
const MINUTE_MS = 60_000;
/** With little heap, code that keeps too much fails. */
const NODE_OPTIONS = "--max-old-space-size=512 --inspect=127.0.0.1:0";

test("the arguments of every server action are known", () => {
  const learned = learnActions();
  const unknown = listActions().filter(({ name, takesArguments }) => takesArguments && !learned[name]?.length);
  expect(unknown).toEqual([]);
});

test("whatever breaks a promise is seen", () => {
  const request = (target: string): FuzzRequest => ({
    kind: "api",
    name: "",
    method: "GET",
    target,
    headers: [],
    body: null,
  });
  const limits = { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "59", "x-ratelimit-reset": "1800000000" };
  const headers = { "content-type": "application/json", "x-request-id": "req_1", ...limits };
  const error = { error: true, code: "NOT_FOUND", message: "Nothing.", details: {} };
  const api = (status: number, body: unknown, changed = {}) =>
    judge(request("/api/v1/x"), { status, headers: { ...headers, ...changed }, text: JSON.stringify(body) });
  const page = (status: number, text: string, sent = { "x-content-type-options": "nosniff" }) =>
    judge(request("/licenses"), { status, headers: sent, text });
  expect([api(404, error), api(200, []), page(200, "<html>"), judgeRaw(""), judgeRaw("HTTP/1.1 400 x")]).toEqual(
    Array(5).fill(null),
  );
  const broken = [
    ...[api(500, error), api(503, error), api(404, {}), api(404, { ...error, code: "x" })],
    ...Object.keys(headers).map((name) => api(404, error, { [name]: undefined })),
    ...[page(500, ""), page(200, "", {} as never), page(200, '1:E{"digest":"123"}'), page(200, '{"code":"internal"}')],
    ...[judgeRaw("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 502 x"), judgeRaw("<html>")],
  ];
  expect(broken.filter((verdict) => verdict === null)).toEqual([]);
  expect(findFaults('fine\n⨯ Error: x\n{"level":50,"msg":"action failed"}\n{"level":30}')).toHaveLength(2);
});

test(`whatever is sent to any address or server action, there is an answer and it is no 5xx, memory does not grow, the books balance, and nobody else's data changes (seed ${SEED})`, async () => {
  test.setTimeout((MINUTES + 5) * MINUTE_MS);
  test.skip(process.platform !== "linux", "Resident memory comes from /proc.");
  const kind = test.info().project.name === "api-next" ? "next" : "server";
  const logs = mkdtempSync(join(tmpdir(), "license-desk-fuzz-"));
  const logFile = join(logs, "server.log");
  const env = { RECEIVE_TIMEOUT_MS: "3000", LOG_LEVEL: "error", NODE_OPTIONS };
  const server = await startOwnServer(kind, env, { logFile });
  try {
    await ensureCatalog(server.databaseUrl);
    const world = await newFuzzWorld(server.url);
    const { resellerId } = world.bystander.reseller;
    const before = await digestTenant(getRuntime().db, resellerId);
    expect(Object.keys(before).length).toBeGreaterThan(25);
    const count = Number(process.env.FUZZ_REQUESTS ?? REQUESTS[kind]);
    const report = await fuzz(world, {
      url: server.url,
      memory: () => readMemory(server.pid, logFile),
      seed: SEED,
      from: FROM,
      count,
      // Under `next start`, Node looks for them every 30 s (docs/security.md).
      holdsOpen: kind === "server",
      minutes: MINUTES,
    });
    const { findings, sent, verdicts, warm, end } = report;
    process.stdout.write(`${JSON.stringify({ ...report, kind, seed: SEED, findings: findings.length })}\n`);
    expect.soft(findings.join("\n\n")).toBe("");
    expect.soft(findFaults(readFileSync(logFile, "utf8")), "the server's log tells of no faults").toEqual([]);
    expect(await digestTenant(getRuntime().db, resellerId)).toEqual(before);
    expect(await findBrokenInvariants(getRuntime().db)).toEqual({});
    expect(await verifyWallets(systemContext())).toMatchObject({
      differences: [],
      currencyDifferences: [],
      lotDifferences: [],
    });
    if (sent < 1_000) return;
    expect(end.kept - warm.kept, "MB that are kept").toBeLessThan(MAX_GROWTH_MB.kept);
    expect(end.native - warm.native, "MB outside the heap").toBeLessThan(MAX_GROWTH_MB.native);
    // What never gets past the door would test the door alone.
    expect(verdicts["api 200"]).toBeGreaterThan(sent / 20);
    expect(verdicts["action 200"]).toBeGreaterThan(sent / 40);
  } finally {
    await server.stop();
    rmSync(logs, { recursive: true, force: true });
  }
});
