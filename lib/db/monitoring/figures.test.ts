import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import { attemptMail, claimDueMails } from "#lib/services/mail/deliver.ts";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { sql } from "#tests/sql.ts";
import { mailSettings } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { readFigures } from "./figures.ts";

let world: World;

beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

/** The texts by which the queue creates its schema, in order. Its package exports them to nobody. */
function listQueueMigrations(): string[] {
  const require = createRequire(import.meta.url);
  const { migrations } = require(join(dirname(require.resolve("graphile-worker")), "generated", "sql.js"));
  const names = Object.keys(migrations).toSorted();
  return names.map((name) => migrations[name].replaceAll(":GRAPHILE_WORKER_SCHEMA", "graphile_worker"));
}

test("figures are read at each step of the creation of the queue, where a worker may have died", async () => {
  const migrations = listQueueMigrations();
  expect(migrations.length).toBeGreaterThan(10);
  await world.db.query(sql("create schema graphile_worker"), []);
  for (const migration of migrations) {
    expect((await readFigures(world.db)).queue).toEqual({ due: 0, age: 0 });
    await world.db.query(sql(migration), []);
  }
  await world.db.query(sql("select graphile_worker.add_job('renew')"), []);
  expect((await readFigures(world.db)).queue.due).toBe(1);
});

describe("a message that the mail server does not accept", () => {
  const person = { email: "root@example.com", name: "Root", password: "a long enough secret" };
  let userId: UserId;
  beforeAll(async () => {
    ({ userId } = await createAdmin(world.operator, person));
    world.setClock(new Date());
  });
  beforeEach(() => world.db.query(sql("delete from mails"), []));

  const queue = (minutesAgo: number) =>
    world.db.query(
      sql("select queue_mail($1, 'low_balance', u, $4, null, null, null, $3) from users u where u.id = $2"),
      [
        randomUUID(),
        userId,
        new Date(Date.now() - minutesAgo * 60_000),
        { balance: "3.20", threshold: "10", currency: "USD" },
      ],
    );
  const worker = () => world.context({ kind: "system", name: "worker" }, { settings: mailSettings(world) });
  const claim = () => claimDueMails(worker(), { slots: 10 });
  async function deliver(kind: "accepted" | "failed"): Promise<void> {
    const reply = kind === "accepted" ? { kind } : { kind, error: "no" };
    for (const mail of await claim()) await attemptMail(worker(), { mail, sender: { send: async () => reply } });
  }
  const waiting = async () => {
    const { due, age } = (await readFigures(world.db)).mails;
    return { due, minutes: Math.round(age / 60) };
  };

  test("waits from its beginning, between two attempts and during one", async () => {
    await queue(30);
    await deliver("failed");
    expect(await waiting()).toEqual({ due: 1, minutes: 30 });
    await world.db.query(sql("update mails set next_attempt_at = created_at"), []);
    expect(await waiting()).toEqual({ due: 1, minutes: 30 });
    expect(await claim()).toHaveLength(1);
    expect(await waiting()).toEqual({ due: 1, minutes: 30 });
  });

  test("waits for its recipient once another was accepted", async () => {
    await queue(30);
    await deliver("failed");
    await queue(20);
    expect(await waiting()).toEqual({ due: 2, minutes: 30 });
    await deliver("accepted");
    expect(await waiting()).toEqual({ due: 0, minutes: 0 });
  });
});
