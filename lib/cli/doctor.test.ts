import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loadSecrets, openDataDir } from "#lib/embedded/data-dir.ts";
import { checkDeployment } from "#lib/server/deployment.ts";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { type Environment, runHere } from "#tests/support/command-line.ts";
import { createBareDatabase, runSql } from "#tests/support/database-contents.ts";
import { createInstallation } from "#tests/support/installation.ts";
import { startMailServer } from "#tests/support/mail-server.ts";

vi.setConfig({ testTimeout: 60_000 });

let database: TestDatabase;
let folder: string;
let dataDir: string;
const SECRET = "0123456789abcdefghijklmnopqrstuvwxyz";

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "license-desk-doctor-"));
  dataDir = openDataDir(join(folder, "data"));
  const secrets = loadSecrets(dataDir);
  await checkDeployment({ databaseUrl: database.url, dataDir, configuredId: undefined, secrets });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

type Change = Readonly<Record<string, string | undefined>>;
type Found = Readonly<Record<string, { readonly status: string; readonly detail: string; readonly remedy: string }>>;

async function diagnose(change: Change = {}): Promise<{ readonly code: number; readonly found: Found }> {
  const environment = { DATA_DIR: dataDir, DATABASE_URL: database.url, ENCRYPTION_KEY: undefined, ...change };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const { code, stdout, stderr } = await runHere(["doctor"], environment as Environment);
  expect(stderr).toBe("");
  const checks: { check: string; status: string; detail: string; remedy: string }[] = JSON.parse(stdout).checks;
  return { code, found: Object.fromEntries(checks.map(({ check, ...finding }) => [check, finding])) };
}

const describeFinding = ({ found }: Awaited<ReturnType<typeof diagnose>>, check: string) =>
  `${found[check]?.status}: ${found[check]?.detail}`;

test("the embedded database of a healthy installation passes; warnings alone are no failure", async () => {
  const own = await createInstallation(join(folder, "own"));
  const { code, found } = await diagnose({ DATA_DIR: own, DATABASE_URL: undefined });
  expect(code).toBe(0);
  const notOk = Object.entries(found).filter(([, { status }]) => status !== "ok");
  expect(notOk.map(([check]) => check)).toEqual(["mail", "worker", "backup"]);
  expect(Object.keys(found)).toHaveLength(25);
  for (const { remedy } of Object.values(found).filter(({ status }) => status === "ok")) expect(remedy).toBe("");
});

test("a pooler or replica of another database is found", async () => {
  const other = await createTestDatabase();
  try {
    const result = await diagnose({ DATABASE_POOLER_URL: other.url, DATABASE_REPLICA_URL: other.url });
    expect(describeFinding(result, "pooler")).toMatch(/^failed: .* leads to another database than DATABASE_URL/);
    expect(describeFinding(result, "replica")).toBe("warning: belongs to another database, and is not read");
    expect(describeFinding(await diagnose({ DATABASE_REPLICA_URL: database.url }), "replica")).toMatch(
      /^warning: is no replica/,
    );
  } finally {
    await other.drop();
  }
});

test("an archive that was never begun fails", async () => {
  const own = join(folder, "own");
  const result = await diagnose({ DATA_DIR: own, DATABASE_URL: undefined, ARCHIVE_DIR: join(folder, "archive") });
  expect(describeFinding(result, "archive")).toBe("failed: it has no complete copy of the database");
});

test("an archive into which two databases write fails", async () => {
  const archive = join(folder, "shared-archive");
  for (const name of ["original", "rehearsal"]) {
    mkdirSync(join(archive, name, "base"), { recursive: true });
    const line = { system: "1", timeline: "00000001", deployment: name, startedAt: new Date() };
    writeFileSync(join(archive, name, "line.json"), JSON.stringify(line));
    const writer = { writer: name, place: "here", beat: 1, at: new Date() };
    writeFileSync(join(archive, name, "writer.json"), JSON.stringify(writer));
  }
  const own = join(folder, "own");
  const result = await diagnose({ DATA_DIR: own, DATABASE_URL: undefined, ARCHIVE_DIR: archive });
  expect(describeFinding(result, "archive")).toMatch(
    /^failed: several databases write into it: (original, rehearsal|rehearsal, original)$/,
  );
});

test("without a database yet, nothing is created", async () => {
  const { code, found } = await diagnose({ DATA_DIR: join(folder, "new"), DATABASE_URL: undefined });
  expect({ code, database: found.database?.status }).toEqual({ code: 0, database: "warning" });
});

describe("the environment", () => {
  test.each<[string, Change, string, RegExp]>([
    ["an invalid variable", { PORT: "x" }, "variables", /^failed: PORT must be a whole number/],
    [
      "a misspelt name",
      { TRUSTED_PROXYS: "10.0.0.0/8" },
      "variable names",
      /^warning: .*TRUSTED_PROXYS \(TRUSTED_PROXIES\?\)/,
    ],
    ["a weak secret", { NEXTAUTH_SECRET: "a".repeat(40) }, "secrets", /^failed: NEXTAUTH_SECRET can be guessed/],
    ["plain http", { HOST: "0.0.0.0" }, "public address", /^failed: 0\.0\.0\.0 is reached without https/],
    [
      "an unknown proxy",
      { NEXTAUTH_URL: "https://desk.example" },
      "public address",
      /^warning: TRUSTED_PROXIES is empty/,
    ],
    [
      "no mail server there",
      { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "desk@example.com" },
      "mail",
      /^failed: the mail server does not work: .*ECONNREFUSED/,
    ],
    ["a full pool", { DATABASE_POOL_SIZE: "1000" }, "connections", /^failed: 1005 of 97/],
    [
      "a pool that a pooler serves",
      { DATABASE_POOL_SIZE: "1000", DATABASE_POOLER_URL: "postgresql://127.0.0.1:1/x" },
      "connections",
      /^ok: 5 of 97/,
    ],
    ["no database there", { DATABASE_URL: "postgresql://127.0.0.1:1/x" }, "database", /^failed: .*ECONNREFUSED/],
    [
      "a folder that is a file",
      { BACKUP_DIR: "/etc/passwd" },
      "disk of BACKUP_DIR",
      /^failed: \/etc\/passwd is not a folder/,
    ],
    [
      "an archive of another server",
      { ARCHIVE_DIR: "/x" },
      "archive",
      /^warning: ARCHIVE_DIR is only for the embedded/,
    ],
    ["SAFE_MODE", { SAFE_MODE: "on" }, "deployment", /^warning: safe mode: SAFE_MODE is on/],
    [
      "another deployment",
      { DEPLOYMENT_ID: "7f3c1f8e-6a53-4c53-9d2e-0a3b5a1c2d4e" },
      "deployment",
      /^warning: safe mode: /,
    ],
    ["other secrets", { API_KEY_PEPPER: SECRET }, "deployment", /^failed: API_KEY_PEPPER: not what/],
  ])("%s", async (_, change, check, message) => {
    expect(describeFinding(await diagnose(change), check)).toMatch(message);
  });

  test("a proxy with https, and secrets that others can read", async () => {
    const file = join(dataDir, "secrets.json");
    chmodSync(file, 0o644);
    const result = await diagnose({ NEXTAUTH_URL: "https://desk.example", TRUSTED_PROXIES: "127.0.0.1/32" });
    chmodSync(file, 0o600);
    expect(describeFinding(result, "secrets")).toBe(`failed: other users can read ${file}`);
    expect(describeFinding(result, "public address")).toBe("ok: behind a proxy on this machine");
  });

  test("a mail server that answers gets no message", async () => {
    const server = await startMailServer();
    try {
      const result = await diagnose({ SMTP_URL: server.url, MAIL_FROM: "desk@example.com" });
      expect(describeFinding(result, "mail")).toMatch(/^ok: /);
      expect(server.received).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe("the database", () => {
  test("settings that lose commits fail", async () => {
    const result = await diagnose();
    expect(result.code).toBe(1);
    expect(describeFinding(result, "durability")).toMatch(/^failed: fsync, full_page_writes, synchronous_commit: off/);
  });

  test("an empty database of the wrong encoding lacks schema and extensions", async () => {
    const { url, drop } = await createBareDatabase(database.url, "encoding latin1 locale 'C' template template0");
    const result = await diagnose({ DATABASE_URL: url });
    await drop();
    expect(describeFinding(result, "encoding")).toBe("failed: LATIN1 cannot store every name");
    expect(describeFinding(result, "schema")).toMatch(/^warning: lacks \d+_baseline/);
    expect(describeFinding(result, "extensions")).toBe("warning: missing: btree_gist, pg_trgm");
    expect(describeFinding(result, "deployment")).toBe("ok: not started yet");
  });

  test("a schema that a newer version has contracted fails", async () => {
    await runSql(
      database.url,
      "insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('1', '', '20991231_contract_next', now())",
    );
    const result = await diagnose();
    await runSql(database.url, "delete from _prisma_migrations where id = '1'");
    expect(describeFinding(result, "schema")).toMatch(/^failed: .*20991231_contract_next.*newer version/);
  });

  test("instances without a worker fail, and so do late jobs", async () => {
    expect(describeFinding(await diagnose(), "worker")).toBe("warning: License Desk does not run");
    const insert = (workers: string) =>
      runSql(
        database.url,
        `insert into processes (id, host, pid, job_workers, started_at, lease_until)
         values (gen_random_uuid(), 'a', 1, '${workers}', now(), now() + interval '1 hour')`,
      );
    await insert("{}");
    expect(describeFinding(await diagnose(), "worker")).toMatch(/^failed: no instance runs a worker/);
    await insert("{w}");
    expect(describeFinding(await diagnose(), "worker")).toBe("ok: 1 of 2 instances");
    await runSql(
      database.url,
      `update processes set started_at = now() - interval '1 hour';
       insert into job_runs (name, next_at) values ('renew_due', now() - interval '16 minutes')`,
    );
    expect(describeFinding(await diagnose(), "worker")).toBe("failed: late: “Renew licenses”");
  });

  test("rows that have no partition", async () => {
    expect(describeFinding(await diagnose(), "partitions")).toBe(
      "warning: Table verifications has no partition for new rows",
    );
  });

  test("a missing, unverified or overdue backup", async () => {
    const scheduled = { BACKUP_DIR: join(folder, "backups") };
    const backup = (hours: number, verified: boolean) =>
      runSql(
        database.url,
        `truncate backups; insert into backups (started_at, ended_at, file, verified)
         values (now() - interval '${hours} hours', now(), 'x', ${verified})`,
      );
    expect(describeFinding(await diagnose(scheduled), "backup")).toBe("warning: none was made");
    await backup(2, true);
    expect(describeFinding(await diagnose(scheduled), "backup")).toBe("ok: the last one is 2 hours old");
    await backup(2, false);
    expect(describeFinding(await diagnose(scheduled), "backup")).toBe(
      "warning: the last one is 2 hours old and not verified",
    );
    await backup(30, true);
    expect(describeFinding(await diagnose(scheduled), "backup")).toBe("failed: the last one is 30 hours old");
    expect(describeFinding(await diagnose(), "backup")).toBe("warning: the last one is 30 hours old");
  });
});
