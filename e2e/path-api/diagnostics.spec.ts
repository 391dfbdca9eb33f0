import { readFileSync } from "node:fs";
import { readPrettyName } from "#lib/domain/os-release.ts";
import { getRuntime } from "#lib/runtime.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

const fields = {
  os: "Debian GNU/Linux 12",
  kernel: "6.1.0-18-amd64",
  cpu_cores: 8,
  memory: "16GB",
  disk_free: "512MB",
  uptime: "45 days",
};

test("POST /diagnostics keeps a report, GET /diagnostics tells it by every selector (contract 2.5, 2.6)", async ({
  reseller,
}) => {
  const { license_key, license_id } = await reseller.newLicense({ ip: reseller.source });
  const report = { license_key, hostname: "Agent.Example", ...fields };
  const posted = await reseller.path.post("/diagnostics", report);
  expect(posted.status).toBe(200);
  expect(posted.body).toEqual({ success: true, message: expect.any(String), updated_at: TIMESTAMP });
  for (const selector of [
    { license_key },
    { license_id },
    { license_id: `lic_${license_id}` },
    { ip_address: reseller.source },
    { server: "agent.example" },
    { server: "AGENT.example" },
  ]) {
    const { status, body } = await reseller.path.get("/diagnostics", selector);
    expect(status).toBe(200);
    expect(body).toEqual({ ...fields, reported_at: posted.body.updated_at });
  }
});

test("the newest report is told (contract 2.5)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense({ ip: reseller.source });
  for (const uptime of ["23 hours", "1 days"]) {
    await reseller.path.post("/diagnostics", { license_key, hostname: "a.example", ...fields, uptime });
  }
  expect((await reseller.path.get("/diagnostics", { license_key })).body.uptime).toBe("1 days");
});

test("a report from another address than the license's is kept and flagged, and names no host (contract 2.6)", async ({
  reseller,
}) => {
  const { license_key, license_id } = await reseller.newLicense();
  const report = { license_key, hostname: "thief.example", ...fields };
  expect((await reseller.path.post("/diagnostics", report)).status).toBe(200);
  const [row] = await getRuntime().db.prisma.diagnosticsReport.findMany({ where: { licenseId: license_id } });
  expect(row).toMatchObject({ addressMatches: false, sourceAddress: reseller.source });
  expect((await reseller.path.get("/license/status", { license_key })).body.hostname).toBe("");
});

test("a report from the license's address makes its host name known, and never changes one (contract 2.6)", async ({
  reseller,
}) => {
  const { license_key } = await reseller.newLicense({ ip: reseller.source });
  for (const hostname of ["first.example", "second.example"]) {
    await reseller.path.post("/diagnostics", { license_key, hostname, ...fields });
  }
  expect((await reseller.path.get("/license/status", { license_key })).body.hostname).toBe("first.example");
});

test("without a selector: the host that answers, read live, in the contract's units (contract 2.5)", async ({
  reseller,
}) => {
  const { status, body } = await reseller.path.get("/diagnostics");
  expect(status).toBe(200);
  expect(body).toEqual({
    os: process.platform === "linux" ? readPrettyName(readFileSync("/etc/os-release", "utf8")) : expect.any(String),
    kernel: expect.stringMatching(/\S/),
    cpu_cores: expect.any(Number),
    memory: expect.stringMatching(/^[1-9]\d*(GB|MB)$/),
    disk_free: expect.stringMatching(/^\d+(GB|MB)$/),
    uptime: expect.stringMatching(/^\d+ (days|hours)$/),
    reported_at: TIMESTAMP,
  });
});

test("no report is NOT_FOUND; another reseller's is none (contract 2.5, 1.12)", async ({ reseller, newReseller }) => {
  const other = await newReseller();
  const { license_key, license_id } = await other.newLicense({ ip: other.source });
  await other.path.post("/diagnostics", { license_key, hostname: "foreign.example", ...fields });
  const own = await reseller.newLicense();
  for (const selector of [
    { license_key: own.license_key },
    { license_key },
    { license_id },
    { ip_address: other.source },
    { server: "foreign.example" },
    { server: "nobody.example" },
  ]) {
    expect(verdictOf(await reseller.path.get("/diagnostics", selector))).toBe("404 NOT_FOUND");
  }
  const foreign = await reseller.path.post("/diagnostics", { license_key, hostname: "a.example", ...fields });
  expect(verdictOf(foreign)).toBe("404 NOT_FOUND");
});

test("every field of a report is required and checked (contract 2.6, 2.5)", async ({ reseller }) => {
  const { license_key } = await reseller.newLicense({ ip: reseller.source });
  const report: Record<string, unknown> = { license_key, hostname: "a.example", ...fields };
  for (const field of Object.keys(report)) {
    const { [field]: _, ...rest } = report;
    const answer = await reseller.path.post("/diagnostics", rest);
    expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
    expect(Object.keys(answer.body.details)).toEqual([field]);
  }
  for (const [field, values] of Object.entries({
    hostname: ["a b", "-a"],
    cpu_cores: [0, -1, 1.5, "many", 2_147_483_648],
    memory: ["16", "16 GB", "16TB", "-1GB", "016GB"],
    disk_free: ["1.5GB", "GB"],
    uptime: ["3 weeks", "3days", "-1 days"],
    os: ["x".repeat(1001), 5],
  })) {
    for (const value of values) {
      const answer = await reseller.path.post("/diagnostics", { ...report, [field]: value });
      expect(`${field}=${value} ${verdictOf(answer)}`.slice(-19)).toBe("400 INVALID_REQUEST");
      expect(Object.keys(answer.body.details)).toEqual([field]);
    }
  }
  expect(verdictOf(await reseller.path.post("/diagnostics", { ...report, license_key: "x" }))).toBe(
    "400 INVALID_LICENSE",
  );
});

test("reading and writing have scopes of their own (contract 1.14, 2.6)", async ({ newReseller }) => {
  const reader = await newReseller({ scopes: ["diagnostics:read"] });
  const writer = await newReseller({ scopes: ["diagnostics:write"] });
  expect((await reader.path.get("/diagnostics")).status).toBe(200);
  expect(verdictOf(await reader.path.post("/diagnostics", {}))).toBe("403 FORBIDDEN");
  expect(verdictOf(await writer.path.get("/diagnostics"))).toBe("403 FORBIDDEN");
  expect(verdictOf(await writer.path.post("/diagnostics", {}))).toBe("400 INVALID_REQUEST");
});

test("sent_at tells how far the server's clock is off; without it nothing is known of it (decision 16)", async ({
  reseller,
}) => {
  const { license_key, license_id } = await reseller.newLicense({ ip: reseller.source });
  const report = { license_key, hostname: "a.example", ...fields };
  const fast = `${new Date(Date.now() + 600_000).toISOString().slice(0, 19)}Z`;
  expect((await reseller.path.post("/diagnostics", { ...report, sent_at: fast })).status).toBe(200);
  expect((await reseller.path.post("/diagnostics", report)).status).toBe(200);
  const rows = await getRuntime().db.prisma.diagnosticsReport.findMany({
    where: { licenseId: license_id },
    orderBy: { id: "asc" },
  });
  expect(rows.map(({ clockOffsetS }) => clockOffsetS)).toEqual([expect.any(Number), null]);
  expect(Math.abs((rows[0]?.clockOffsetS ?? 0) - 600)).toBeLessThan(30);
  for (const sent_at of ["now", "2027-02-30T00:00:00Z", "2027-01-31T00:00:00.000Z"]) {
    const answer = await reseller.path.post("/diagnostics", { ...report, sent_at });
    expect([answer.status, answer.body.details]).toEqual([400, { sent_at: expect.any(String) }]);
  }
});
