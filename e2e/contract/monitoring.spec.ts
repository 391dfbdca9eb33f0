/** Probes and metrics of a running server: ours, and a stock Next server. */
import { expect, test } from "@playwright/test";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";

test.describe.configure({ mode: "serial", timeout: 120_000 });

const MAX_PROBE_MS = 1_000;
let server: OwnServer;

test.beforeAll(async ({ browserName: _ }, { project }) => {
  test.setTimeout(120_000);
  const kind = project.name === "api-next" ? "next" : "server";
  server = await startOwnServer(kind, { LOG_LEVEL: "silent", SHUTDOWN_DELAY_MS: "10000" });
});
test.afterAll(() => server.stop());

async function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
  const startMs = performance.now();
  const response = await fetch(`${server.url}${path}`, { headers });
  const text = await response.text();
  return { status: response.status, text, ms: performance.now() - startMs };
}

test("a server that can answer is ready, and its pages count", async () => {
  expect(await ask("/healthz")).toMatchObject({ status: 200, text: '{"status":"ok"}\n' });
  await expect.poll(async () => (await ask("/readyz")).status).toBe(200);
  expect((await ask("/sign-in")).status).toBe(200);
  const { status, text } = await ask("/metrics");
  expect(status).toBe(200);
  expect(text).toMatch(/^license_desk_requests_total\{interface="page",operation="page",code="ok"\} [1-9]/m);
  expect(text).toContain('license_desk_up{part="database"} 1\n');
});

test("metrics are not for whoever comes through a proxy", async () => {
  expect((await ask("/metrics", { "x-forwarded-for": "203.0.113.7" })).status).toBe(404);
});

test("without its database a server lives, is not ready within a second, and can be scraped", async () => {
  await server.takeDatabaseAway();
  await expect.poll(async () => (await ask("/readyz")).status).toBe(503);
  const probe = await ask("/readyz");
  // The fastest of several: the bound is the server's, not a busy machine's.
  const probes = [probe, await ask("/readyz"), await ask("/readyz")];
  expect(Math.min(...probes.map(({ ms }) => ms))).toBeLessThan(MAX_PROBE_MS);
  expect(JSON.parse(probe.text)).toMatchObject({
    status: "not_ready",
    checks: [{ check: "database", status: "failed" }, {}],
  });
  expect((await ask("/healthz")).status).toBe(200);
  await expect.poll(async () => (await ask("/metrics")).text).toContain('license_desk_up{part="database"} 0\n');
  await server.bringDatabaseBack();
  await expect.poll(async () => (await ask("/readyz")).status).toBe(200);
});

test("after SIGTERM a server is not ready, and still answers for SHUTDOWN_DELAY_MS", async ({ browserName: _ }, {
  project,
}) => {
  test.skip(project.name === "api-next", "Next ends by itself, at once.");
  process.kill(server.pid, "SIGTERM");
  await expect.poll(async () => (await ask("/readyz")).status).toBe(503);
  expect((await ask("/readyz")).text).toContain('"check":"shutdown","status":"failed"');
  expect((await ask("/api/v1/?endpoint=balance")).status).toBe(401);
});
