import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { e2eEnvironment } from "../support/environment.ts";
import { expect, test } from "../support/test.ts";

const root = join(import.meta.dirname, "..", "..");
const START_TIMEOUT_MS = 30_000;
const user = process.getuid?.() === 0 ? [] : ["--map-root-user"];
/** Runs a program after mounting an empty folder that only it sees. */
const withMount = (mount: string) => ["unshare", "--mount", ...user, "sh", "-c", `${mount} && exec "$@"`, "sh"];
/** Less than a new cluster of PostgreSQL needs. */
const onSmallDisk = withMount('mount -t tmpfs -o size=8m none "$DATA_DIR"');
const withoutBuild = withMount("mount -t tmpfs -o ro none .next");
const canMount = spawnSync("unshare", ["--mount", ...user, "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

interface Ended {
  readonly code: number | null;
  readonly errors: readonly string[];
}

/** Starts License Desk with a variable, or several, that it cannot work with. */
async function start(env: Readonly<Record<string, string>>, launcher: readonly string[] = []): Promise<Ended> {
  const [program = "", ...args] = [...launcher, process.execPath, "server.ts"];
  const folder = mkdtempSync(join(tmpdir(), "license-desk-start-"));
  const child = spawn(program, args, {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: START_TIMEOUT_MS,
    env: { ...process.env, DATA_DIR: folder, PORT: "0", HOST: "127.0.0.1", ...env, NODE_ENV: "production" },
  });
  let output = "";
  child.stderr?.on("data", (chunk) => {
    output += chunk;
  });
  const [code] = (await once(child, "close")) as [number | null];
  rmSync(folder, { recursive: true, force: true });
  return { code, errors: output.split("\n").filter((line) => line !== "") };
}

const newSecret = () => randomBytes(32).toString("base64");
const withUrl = (change: (url: URL) => void): Readonly<Record<string, string>> => {
  const url = new URL(e2eEnvironment().databaseUrl);
  change(url);
  return { DATABASE_URL: url.href };
};

/** Forwards to the real server, which then says to be of an old version. */
async function startOldServer(): Promise<Server> {
  const { hostname, port } = new URL(e2eEnvironment().databaseUrl);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname).on("error", () => client.destroy());
    upstream.on("data", (chunk) => {
      client.write(Buffer.from(chunk.toString("latin1").replace(/18\d{4}(?=C)/, "140011"), "latin1"));
    });
    client.on("error", () => upstream.destroy()).pipe(upstream);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

const expectOneLine = (ended: Ended, line: RegExp) =>
  expect(ended).toEqual({ code: 1, errors: [expect.stringMatching(line)] });

test("a wrong variable", async () => {
  expectOneLine(await start({ PORT: "eighty" }), /^PORT must be a whole number/);
});

test("a wrong password of the database", async () => {
  const env = withUrl((url) => Object.assign(url, { password: "guessed" }));
  expectOneLine(await start(env), /^The database at [^ ]+ refuses the connection: password authentication failed/);
});

test("a database that does not exist", async () => {
  const env = withUrl((url) => Object.assign(url, { pathname: "/elsewhere" }));
  expectOneLine(await start(env), /refuses the connection: database "elsewhere" does not exist/);
});

test("a database server without TLS where the address requires it", async () => {
  const env = withUrl((url) => url.searchParams.set("sslmode", "verify-full"));
  expectOneLine(await start(env), /refuses the connection: The server does not support SSL connections/);
});

test("a database server that is too old", async () => {
  const server = await startOldServer();
  const { port } = server.address() as { port: number };
  const env = withUrl((url) => Object.assign(url, { port: String(port) }));
  expectOneLine(await start(env), /^The database server is PostgreSQL 14\. License Desk needs 15 or later/);
  server.close();
});

test("a database that a newer version has contracted is left as it is", async () => {
  const name = `newer_${process.pid}`;
  const operator = new pg.Client({ connectionString: e2eEnvironment().databaseUrl });
  await operator.connect();
  await operator.query(`create database ${name}`);
  const env = withUrl((url) => Object.assign(url, { pathname: `/${name}` }));
  const databaseUrl = String(env.DATABASE_URL);
  await applyMigrations({ databaseUrl, migrationsDir: join(root, "prisma", "migrations") });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
                        values ('1', '1', '29991231000000_contract_later', now(), 1)`);
  expectOneLine(await start(env), /a newer version has dropped what this one needs\. Start that version/);
  const { rows } = await client.query("select count(*)::int as count from deployment");
  expect(rows).toEqual([{ count: 0 }]);
  await client.end();
  await operator.query(`drop database ${name} with (force)`);
  await operator.end();
});

test("other secrets than the database was used with", async () => {
  const ended = await start({ ENCRYPTION_KEY: newSecret(), NEXTAUTH_SECRET: newSecret() });
  expectOneLine(ended, /^NEXTAUTH_SECRET, ENCRYPTION_KEY: not what this database was used with/);
});

test("a port that another program uses", async () => {
  const other = createServer();
  await once(other.listen(0, "127.0.0.1"), "listening");
  const { port } = other.address() as { port: number };
  expectOneLine(await start({ PORT: String(port) }), new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is used by another`));
  other.close();
});

test("a full disk", async () => {
  test.skip(!canMount, "this system lets nobody mount folders of their own");
  const ended = await start({ DATABASE_URL: "", DEMO: "off" }, onSmallDisk);
  expectOneLine(ended, /^The database could not be created: the disk of DATA_DIR is full\./);
});

test("sources without a build that the user cannot write", async () => {
  test.skip(!canMount, "this system lets nobody mount folders of their own");
  expectOneLine(await start({}, withoutBuild), /^There is no build of these sources in .*: run "npm run build" there/);
});
