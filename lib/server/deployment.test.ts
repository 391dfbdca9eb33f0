import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#lib/db/connection/client.ts";
import { statementOf } from "#lib/db/connection/statement.ts";
import { loadSecrets, openDataDir, type Secrets } from "#lib/embedded/data-dir.ts";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { sql } from "#tests/sql.ts";
import { acceptSecrets, checkDeployment, findCopyReason, resumeDeployment } from "./deployment.ts";

let folder: string;
let database: TestDatabase;
let secrets: Secrets;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "deployment-"));
  database = await createTestDatabase();
  secrets = loadSecrets(dataDir("first"));
});

afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const dataDir = (name: string) => openDataDir(join(folder, name));

const start = (name: string, change: { url?: string; configuredId?: string; secrets?: Secrets } = {}) =>
  checkDeployment({
    databaseUrl: change.url ?? database.url,
    dataDir: dataDir(name),
    configuredId: change.configuredId,
    secrets: change.secrets ?? secrets,
  });

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

test("the first start claims the database, and later ones recognize it", async () => {
  expect(await start("first")).toEqual({ kind: "own" });
  expect(await start("first")).toEqual({ kind: "own" });
  expect(
    await findCopyReason({ databaseUrl: database.url, dataDir: dataDir("first"), configuredId: undefined }),
  ).toBeNull();
});

test("instances that share DATA_DIR or DEPLOYMENT_ID belong together, whichever starts first", async () => {
  expect(await Promise.all([start("first"), start("first"), start("first")])).toEqual(Array(3).fill({ kind: "own" }));
  const [row] = await ask<{ deployment_id: string }>(database.url, "select deployment_id from deployment");
  expect(await start("elsewhere", { configuredId: String(row?.deployment_id) })).toEqual({ kind: "own" });
});

test("an instance waits for the file of another one that shares DATA_DIR and just created the deployment", async () => {
  await start("first");
  const file = join(dataDir("first"), "deployment.json");
  renameSync(file, `${file}.away`);
  setTimeout(() => renameSync(`${file}.away`, file), 300);
  expect(await start("first")).toEqual({ kind: "own" });
});

test("a machine without an id does not act on a database in use", async () => {
  await start("first");
  expect(await start("second")).toMatchObject({ kind: "copy" });
  expect(await start("second")).toMatchObject({ kind: "copy" });
});

test("a database restored next to the original is a copy, even for the original's machine", async () => {
  await start("first");
  const copy = new URL(database.url);
  copy.pathname += "_copy";
  await ask(
    new URL("/postgres", database.url).href,
    `create database ${copy.pathname.slice(1)} template ${new URL(database.url).pathname.slice(1)}`,
  );
  try {
    expect(await start("first", { url: copy.href })).toMatchObject({ kind: "copy" });
    expect(
      await findCopyReason({ databaseUrl: copy.href, dataDir: dataDir("first"), configuredId: undefined }),
    ).not.toBeNull();
    expect(await start("first")).toEqual({ kind: "own" });
  } finally {
    await ask(new URL("/postgres", database.url).href, `drop database ${copy.pathname.slice(1)} with (force)`);
  }
});

test("a copied DATA_DIR is not the original: the file contains its own inode", async () => {
  await start("first");
  cpSync(dataDir("first"), join(folder, "copied"), { recursive: true });
  expect(await start("copied")).toMatchObject({ kind: "copy" });
});

test("a resumed copy acts, and the machine of the original no longer does", async () => {
  await start("first");
  expect(await start("second")).toMatchObject({ kind: "copy" });
  await resumeDeployment({ databaseUrl: database.url, dataDir: dataDir("second"), configuredId: undefined });
  expect(await start("second")).toEqual({ kind: "own" });
  expect(await start("first")).toMatchObject({ kind: "copy" });
});

test("resuming a copy ends what the original may have revoked since: sessions, access links, pending sign-ins", async () => {
  await start("first");
  await ask(
    database.url,
    `with person as (
       insert into users (email, name, password_hash, role) values ('a@example.com', 'A', 'x', 'owner') returning id
     ), session as (
       insert into sessions (id, user_id, expires_at, idle_at)
       select gen_random_uuid(), id, now() + interval '1 day', now() + interval '1 day' from person
     ), link as (
       insert into access_links (token_hash, user_id, kind, password_mark, created_at, expires_at)
       select 'a', id, 'invitation', 'a', now(), now() + interval '1 day' from person
     ), change as (
       insert into email_changes (user_id, new_email, new_password_hash, password_mark, old_token_hash, new_token_hash, created_at, expires_at)
       select id, 'b@example.com', 'x', 'a', 'b', 'c', now(), now() + interval '1 day' from person
     )
     insert into pending_sign_ins (token_hash, user_id, expires_at) select 'a', id, now() + interval '1 day' from person`,
  );
  const access = () =>
    ask(
      database.url,
      `select (select count(*)::int from sessions where revoked_at is null) as sessions,
              (select count(*)::int from access_links) as links, (select count(*)::int from email_changes) as changes,
              (select count(*)::int from pending_sign_ins) as pending`,
    );
  expect(await access()).toEqual([{ sessions: 1, links: 1, changes: 1, pending: 1 }]);
  await resumeDeployment({ databaseUrl: database.url, dataDir: dataDir("second"), configuredId: undefined });
  expect(await access()).toEqual([{ sessions: 0, links: 0, changes: 0, pending: 0 }]);
});

test("resuming a copy forgets the links of its messages, and sends none that was waiting, also in an attempt", async () => {
  await start("first");
  await ask(
    database.url,
    `with person as (
       insert into users (email, name, password_hash, role) values ('a@example.com', 'A', 'x', 'owner') returning id
     )
     insert into mails (message_id, kind, user_id, recipient, data, secret, secret_until, state, error, owner_id, lease_token,
                        next_attempt_at, send_until, created_at)
     select gen_random_uuid(), kind, id, 'a@example.com', '{}', secret::bytea, now() + interval '1 day', state::mail_state, error,
            owner::uuid, gen_random_uuid(), now(), now() + interval '1 day', now()
       from person, (values ('invitation', 'a', 'pending', null, null), ('password_reset', 'a', 'pending', '421', gen_random_uuid()),
                            ('email_change', 'a', 'failed', '550', null), ('digest', null, 'pending', null, null))
                    as m(kind, secret, state, error, owner)`,
  );
  await resumeDeployment({ databaseUrl: database.url, dataDir: dataDir("second"), configuredId: undefined });
  const notSent = { state: "failed", error: "Not sent: the database was restored." };
  expect(
    await ask(database.url, "select kind, secret, state, error, owner_id as owner from mails order by id"),
  ).toEqual([
    { kind: "invitation", ...notSent, secret: null, owner: null },
    { kind: "password_reset", ...notSent, secret: null, owner: null },
    { kind: "email_change", state: "failed", error: "550", secret: null, owner: null },
    { kind: "digest", state: "pending", error: null, secret: null, owner: null },
  ]);
});

test("resuming a copy gives failing webhook endpoints their five days again", async () => {
  await start("first");
  await ask(
    database.url,
    `with owner as (insert into resellers (name, email, currency) values ('A', 'a@example.com', 'USD') returning id)
     insert into webhook_endpoints (reseller_id, url, secret, seal_id, first_failed_at, created_at, updated_at)
     select id, 'https://a.example', 'a', gen_random_uuid(), now(), now(), now() from owner`,
  );
  await resumeDeployment({ databaseUrl: database.url, dataDir: dataDir("second"), configuredId: undefined });
  expect(await ask(database.url, "select first_failed_at from webhook_endpoints")).toEqual([{ first_failed_at: null }]);
});

test("a process with another secret does not start, names it, and starts once it is accepted", async () => {
  await start("first");
  const others = loadSecrets(dataDir("other"));
  const mixed = { ...secrets, encryptionKey: others.encryptionKey };
  await expect(start("first", { secrets: mixed })).rejects.toThrow(/^ENCRYPTION_KEY: /);
  await expect(start("first", { secrets: others })).rejects.toThrow(
    /^API_KEY_PEPPER, NEXTAUTH_SECRET, ENCRYPTION_KEY: /,
  );
  expect(await start("first")).toEqual({ kind: "own" });
  await acceptSecrets(database.url, others);
  expect(await start("first", { secrets: others })).toEqual({ kind: "own" });
  await expect(start("first")).rejects.toThrow();
});

test("the database contains no part of a secret", async () => {
  await start("first");
  const [row] = await ask(database.url, "select to_json(d)::text as text from deployment d");
  for (const secret of Object.values(secrets)) expect(row?.text).not.toContain(secret.slice(0, 8));
});

test("in safe mode the database accepts only the writes that signing in needs", async () => {
  const db = openDatabase({ url: database.url, poolSize: 2, readOnly: true });
  try {
    const write = statementOf(undefined)("update providers set name = name");
    await expect(db.query(write, [])).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 30 });
    await expect(db.prisma.provider.updateMany({ data: { kind: "sandbox" } })).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(await db.query(sql("select name from providers"), [])).toHaveLength(2);
    await db.query(statementOf(undefined)(write.text, { writesInSafeMode: true }), []);
    await expect(db.query(write, [])).rejects.toMatchObject({ code: "unavailable" });
    const broken = statementOf(undefined)("update nothing set a = 1", { writesInSafeMode: true });
    await expect(db.query(broken, [])).rejects.toThrow();
    expect(await db.query(sql("select name from providers"), [])).toHaveLength(2);
  } finally {
    await db.close();
  }
});
