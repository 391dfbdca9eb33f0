import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkDeployment } from "#lib/server/deployment.ts";
import { createKeyring } from "#lib/services/api-key/keyring.ts";
import { passwordMatches } from "#lib/services/user/password.ts";
import { createTestDatabase } from "#tests/database.ts";
import { sql } from "#tests/sql.ts";
import { type CommandResult, type Environment, runAlone, runHere } from "#tests/support/command-line.ts";
import { rehearsed } from "#tests/support/faults.ts";
import { anyLookUp } from "#tests/support/look-up-quota.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";

const PASSWORD = "correct horse battery";
const ADMIN = ["user", "create-admin", "--email", "ops@example.com", "--name", "Ops"];

let world: World;
let dataDir: string;
let passwordFile: string;
beforeAll(async () => {
  world = await newWorld();
  dataDir = mkdtempSync(join(tmpdir(), "license-desk-cli-"));
  passwordFile = `${dataDir}.password`;
  writeFileSync(passwordFile, `${PASSWORD}\n`);
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  rmSync(passwordFile);
  await world.close();
});

const environment = () => ({ DATA_DIR: dataDir, DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER });
const admin = (args: readonly string[], change: Environment = {}) => runHere(args, { ...environment(), ...change });

async function json(args: readonly string[]) {
  const { code, stdout, stderr } = await admin(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function refusal(args: readonly string[], change: Environment = {}): Promise<CommandResult> {
  const result = await admin(args, change);
  expect(result.code).not.toBe(0);
  expect(result.stdout).toBe("");
  expect(result.stderr).not.toMatch(/\n\s+at /);
  return result;
}

test("a password is also read from a pipe that another program fills later", async () => {
  const filled = sleep(2_000).then(() => `${PASSWORD}\n`);
  const args = ["user", "create-admin", "--email", "late@example.com", "--name", "Late", "--password-file", "-"];
  expect(await runAlone(args, environment(), filled)).toMatchObject({ code: 0, stderr: "" });
  const { passwordHash } = await world.db.prisma.user.findFirstOrThrow({ where: { email: "late@example.com" } });
  expect(await passwordMatches(passwordHash, PASSWORD)).toBe(true);
});

test("a reseller is created with a working key and money, and all output is JSON", async () => {
  const acme = ["reseller", "create", "--name", "Acme", "--email", "acme@example.com", "--currency", "eur"];
  const { reseller_id } = await json([...acme, "--password-file", passwordFile]);
  const { passwordHash } = await world.db.prisma.user.findFirstOrThrow({ where: { resellerId: reseller_id } });
  expect(await passwordMatches(passwordHash, PASSWORD)).toBe(true);
  const key = await json([
    "api-key",
    "create",
    "--reseller",
    String(reseller_id),
    "--name",
    "shop",
    "--scopes",
    "wallet:read,licenses:read",
    "--cidrs",
    "203.0.113.0/24",
    "--rate-limit",
    "5",
    "--expires",
    "2099-12-31",
  ]);
  expect(key).toEqual({
    api_key_id: expect.any(Number),
    api_key: expect.stringMatching(/^lk_live_/),
    scopes: ["licenses:read", "wallet:read"],
    expires_at: "2099-12-31T00:00:00Z",
  });
  const known = await createKeyring(world.db, PEPPER).authenticate(key.api_key, new Date(), anyLookUp);
  expect(known).toMatchObject({ resellerId: reseller_id, rateLimitPerMinute: 5 });

  const topUp = [
    "wallet",
    "top-up",
    "--reseller",
    String(reseller_id),
    "--amount",
    "120.50",
    "--note",
    "transfer",
    "--reference",
    "INV-1",
  ];
  expect(await json(topUp)).toEqual({ reseller_id, amount: 120.5, posted: 120.5, currency: "EUR" });
  expect((await refusal(topUp)).stderr).toBe("This reference was used before.\n");
  expect(await json(["reseller", "list"])).toContainEqual(
    expect.objectContaining({ reseller_id, name: "Acme", currency: "EUR", balance: 120.5, held: 0 }),
  );

  const rotated = await json(["api-key", "rotate", "--id", String(key.api_key_id), "--grace-hours", "1"]);
  expect(rotated).toMatchObject({ old_api_key_id: key.api_key_id, api_key: expect.stringMatching(/^lk_live_/) });
  await json(["api-key", "revoke", "--id", String(rotated.api_key_id)]);
  const keys = await json(["api-key", "list", "--reseller", String(reseller_id)]);
  expect(keys).toMatchObject([
    { api_key_id: rotated.api_key_id, name: "shop", rate_limit: 5, revoked_at: expect.any(String) },
    { api_key_id: key.api_key_id, cidrs: ["203.0.113.0/24"], revoked_at: null, expires_at: rotated.old_expires_at },
  ]);
});

test.each([
  ["cannot", [], "none"],
  ["can", ["--signing"], "optional"],
  ["must", ["--require-signature"], "required"],
])("a key whose requests %s be signed is listed as such", async (_, options, signing) => {
  const { id } = await world.reseller();
  const create = ["api-key", "create", "--reseller", String(id), "--name", "shop", "--scopes", "all", ...options];
  vi.stubEnv("ENCRYPTION_KEY", Buffer.alloc(32, 7).toString("base64"));
  await json(create);
  const keys = await json(["api-key", "list", "--reseller", String(id)]);
  expect(keys).toEqual([expect.objectContaining({ name: "shop", signing })]);
});

test("reconcile settles unknown outcomes, and provider books shows the provider's side", async () => {
  const reseller = await world.reseller();
  const { licenseKey } = await reseller.register({ ip: rehearsed.losesAnswer, type: "web_server" });
  expect(await json(["reconcile"])).toEqual({ asked: 1, succeeded: 1, rejected: 0, still_open: 0 });
  expect(await json(["provider", "books"])).toContainEqual({
    reference: licenseKey,
    product: "web-server",
    ip_address: rehearsed.losesAnswer,
    cores: 1,
    state: "active",
    expires_at: "2027-04-10T12:00:00Z",
  });
});

test("wallet verify fails and shows the differences in major units", async () => {
  expect(await json(["wallet", "verify"])).toMatchObject({ differences: [], currency_differences: [] });
  const { id } = await world.reseller({ funds: "10" });
  const text = "update wallets set posted = posted + 5 where reseller_id = $1";
  await world.db.query(sql(text), [id]);
  const { code, stdout } = await admin(["wallet", "verify"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).differences).toEqual([
    { reseller_id: id, currency: "USD", posted: 10.05, sum_of_entries: 10, held: 0, sum_of_open_holds: 0 },
  ]);
  await world.db.query(sql("update wallets set posted = posted - 5 where reseller_id = $1"), [id]);
});

describe("a mistake is reported in a sentence without a stack trace", () => {
  test.each<[string, string[], number, RegExp]>([
    ["an unknown command", ["nonsense"], 2, /unknown command 'nonsense'/],
    ["a missing option", ["reseller", "create", "--name", "A"], 2, /--email/],
    [
      "an invalid scope",
      ["api-key", "create", "--reseller", "1", "--name", "n", "--scopes", "a,b"],
      2,
      /licenses:verify/,
    ],
    [
      "an invalid day",
      ["api-key", "create", "--reseller", "1", "--name", "n", "--scopes", "all", "--expires", "2027-02-31"],
      2,
      /2027-02-31/,
    ],
    [
      "invalid values, each named",
      ["reseller", "create", "--name", "A", "--email", "a", "--currency", "XX"],
      1,
      /^--email must[^\n]*\n--currency must/,
    ],
    [
      "an amount of too many digits",
      ["wallet", "top-up", "--reseller", "1", "--amount", "1.0055", "--note", "n"],
      1,
      /^--amount must have at most 2 decimals\.\n$/,
    ],
    [
      "an amount with two meanings",
      ["wallet", "top-up", "--reseller", "1", "--amount", "1.005", "--note", "n"],
      1,
      /--amount has two meanings: type 1005/,
    ],
    [
      "a reseller that does not exist",
      ["api-key", "list", "--reseller", "999999"],
      1,
      /^There is no such reseller\.\n$/,
    ],
    [
      "a file without a password",
      [...ADMIN, "--password-file", "/dev/null"],
      1,
      /^--password-file must have at least 12/,
    ],
    [
      "a file that does not exist",
      [...ADMIN, "--password-file", "/no/such"],
      2,
      /^--password-file cannot be read\.\n$/,
    ],
    ["a provider that does not exist", ["provider", "books", "--provider", "acme"], 1, /no such provider/],
    ["a catalog that exists already", ["catalog", "seed"], 1, /A catalog already exists/],
    ["a missing choice", ["license", "auto-renew", "--id", "1"], 2, /^Say --on or --off\.\n$/],
    ["a provider without changes", ["provider", "update", "--name", "sandbox"], 2, /nothing to change/],
    ["no settings to change", ["reseller", "renewal-settings", "--id", "1"], 2, /nothing to change/],
  ])("%s", async (_, args, code, message) => {
    const result = await refusal(args);
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
  });

  test("an invalid environment, an unavailable database, a pepper that differs from the server's", async () => {
    expect((await refusal(["reseller", "list"], { DATABASE_URL: "mysql://x" })).stderr).toMatch(
      /^DATABASE_URL must start/,
    );
    const away = await refusal(["reseller", "list"], { DATABASE_URL: "postgresql://127.0.0.1:1/x" });
    expect(away.stderr).toMatch(/ECONNREFUSED/);
    const create = ["api-key", "create", "--reseller", "1", "--name", "n", "--scopes", "all"];
    expect((await refusal(create, { API_KEY_PEPPER: "" })).stderr).toMatch(/API_KEY_PEPPER is not set/);
  });
});

describe("with secrets that are not the database's, nothing is stored that its servers cannot read:", () => {
  const secrets = {
    apiKeyPepper: PEPPER,
    authSecret: "s".repeat(32),
    encryptionKey: Buffer.alloc(32, 7).toString("base64"),
  };
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  const run = (args: readonly string[], change: Environment = {}) =>
    refusal(args, { DATABASE_URL: database.url, ...change });
  beforeAll(async () => {
    database = await createTestDatabase();
    const place = { databaseUrl: database.url, dataDir, configuredId: randomUUID() };
    await checkDeployment({ ...place, secrets });
  });
  afterAll(() => database.drop());

  const key = ["api-key", "create", "--reseller", "1", "--name", "n", "--scopes", "all"];
  const upstream = ["--base-url", "https://up.example/api/v1/", "--api-key-file", import.meta.filename];
  const provider = ["provider", "create", "--name", "up", ...upstream];
  test.each([
    [
      "no API key",
      key,
      { API_KEY_PEPPER: "p".repeat(32) },
      /^API_KEY_PEPPER, ENCRYPTION_KEY: not what this database was used with/,
    ],
    ["no credentials", provider, {}, /^ENCRYPTION_KEY: not what this database was used with/],
    ["no accepted secrets that were made up", ["deployment", "accept-secrets"], {}, /^The secrets are neither in /],
  ])("%s", async (_, args, change, message) => {
    vi.stubEnv("ENCRYPTION_KEY", Buffer.alloc(32, 8).toString("base64"));
    expect((await run(args, change)).stderr).toMatch(message);
    expect(existsSync(join(dataDir, "secrets.json"))).toBe(false);
  });

  test("no backup with them", async () => {
    vi.stubEnv("ENCRYPTION_KEY", secrets.encryptionKey);
    const others = { BACKUP_PASSPHRASE: "correct horse battery", NEXTAUTH_SECRET: "other".repeat(8) };
    expect((await run(["backup", "--to", dataDir, "--with-secrets"], others)).stderr).toMatch(
      /^NEXTAUTH_SECRET: not what this database was used with/,
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test("with the database's own, and without any, commands go on", async () => {
    vi.stubEnv("ENCRYPTION_KEY", secrets.encryptionKey);
    expect((await run(key)).stderr).toBe("There is no such reseller.\n");
    vi.stubEnv("ENCRYPTION_KEY", "");
    expect(await admin(["reseller", "list"], { DATABASE_URL: database.url, API_KEY_PEPPER: "" })).toMatchObject({
      code: 0,
    });
  });
});

test("a copy is resumed where DATA_DIR has still to be created", async () => {
  const { url, drop } = await createTestDatabase();
  const secrets = {
    apiKeyPepper: PEPPER,
    authSecret: "s".repeat(32),
    encryptionKey: Buffer.alloc(32).toString("base64"),
  };
  await checkDeployment({ databaseUrl: url, dataDir, configuredId: randomUUID(), secrets });
  const place = { DATABASE_URL: url, DATA_DIR: join(dataDir, "missing") };
  const resumed = await admin(["deployment", "resume"], place);
  expect(resumed.code).toBe(0);
  const { deployment_id } = JSON.parse(resumed.stdout);
  expect(JSON.parse((await admin(["deployment", "show"], place)).stdout)).toMatchObject({ deployment_id, copy: false });
  expect(readdirSync(place.DATA_DIR)).toEqual(["deployment.json"]);
  expect((await refusal(["deployment", "resume"], place)).stderr).toMatch(/^This database is in service already\./);
  expect(await admin(["deployment", "resume"], { ...place, SAFE_MODE: "on" })).toMatchObject({ code: 0 });
  await drop();
});

test("an outdated schema is reported and left unchanged", async () => {
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await client.query("drop schema public cascade; create schema public");
  const { stderr } = await refusal(["reseller", "list"], { DATABASE_URL: url });
  expect(stderr).toMatch(/lacks the migration 20261122000000_baseline/);
  expect((await client.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(0);
  await client.end();
  await drop();
});

test("database url prints the plain address, for psql and pg_dump", async () => {
  expect(await admin(["database", "url"])).toEqual({ code: 0, stdout: `${world.url}\n`, stderr: "" });
  expect((await refusal(["database", "url"], { DATABASE_URL: "" })).stderr).toMatch(/has no address/);
});

test("npm run admin runs this command line and returns its exit code", async () => {
  expect(await runAlone(["catalog", "seed"], environment())).toEqual({
    code: 1,
    stdout: "",
    stderr: "A catalog already exists. Nothing was changed.\n",
  });
}, 60_000);
