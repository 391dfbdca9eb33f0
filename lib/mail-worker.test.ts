import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createSmtpSender } from "#lib/adapters/smtp.ts";
import type { UserId } from "#lib/domain/ids.ts";
import type { MailSender } from "#lib/ports/mail-sender.ts";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { sql } from "#tests/sql.ts";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { mailSettings } from "#tests/support/mails.ts";
import { releaseDead } from "#tests/support/process.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { startMailWorker } from "./mail-worker.ts";
import { attemptMail, claimDueMails } from "./services/mail/deliver.ts";
import { listMails, retryMail } from "./services/mail/outbox.ts";

const FAST = { connectMs: 300, greetingMs: 300, silenceMs: 300, attemptMs: 1_000 };

let world: World;
let userId: UserId;
let server: MailServer;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  world = await newWorld();
  const person = { email: "root@example.com", name: "Root", password: "a long enough secret" };
  ({ userId } = await createAdmin(world.operator, person));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await world.db.query(sql("delete from mails"), []);
});
afterAll(() => world.close());

async function newServer(): Promise<MailServer> {
  server = await startMailServer();
  cleanups.push(() => server.close());
  return server;
}

const context = () => world.context({ kind: "system", name: "worker" }, { settings: mailSettings(world) });
const sender = (limits = {}) => createSmtpSender({ url: server.url, from: "desk@example.com", limits });

async function queue(count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const id of ids) {
    await world.db.query(
      sql("select queue_mail($1, 'low_balance', u, $4, null, null, null, $3) from users u where u.id = $2"),
      [id, userId, world.now(), { balance: "3.20", threshold: "10.00", currency: "USD" }],
    );
  }
  return ids;
}

function work(by: MailSender | null = sender(), options: { slots?: number } = {}) {
  const logError = (error: unknown) => expect.unreachable(String(error));
  const worker = startMailWorker(context(), by, { logError, pollEveryMs: 20, ...options });
  cleanups.push(() => worker.stop(2_000));
  return worker;
}

/** One round: everything that is due is attempted once. */
async function deliverDue(by: MailSender = sender()): Promise<string[]> {
  const claimed = await claimDueMails(context(), { slots: 50 });
  return Promise.all(claimed.map((mail) => attemptMail(context(), { mail, sender: by })));
}

const mails = () =>
  world.db.query(
    sql<{ state: string; attempt_count: number; error: string | null; owner_id: string | null }>(
      "select state, attempt_count, error, owner_id from mails order by id",
    ),
    [],
  );
const idsOf = ({ received }: MailServer) => received.map(({ messageId }) => messageId.split("@")[0]);

describe("the worker", () => {
  test("delivers each message once, by two workers at once, with few connections", async () => {
    await newServer();
    server.behave({ slowMs: 20 });
    const ids = await queue(30);
    work(sender(), { slots: 3 });
    work(sender(), { slots: 3 });
    await vi.waitFor(
      async () => expect(new Set((await mails()).map(({ state }) => state))).toEqual(new Set(["sent"])),
      {
        timeout: 15_000,
      },
    );
    expect(idsOf(server).toSorted()).toEqual(ids.toSorted());
    expect(server.mostConnections()).toBeLessThanOrEqual(6);
  });

  test("leaves messages in the outbox without a mail server", async () => {
    await queue();
    work(null);
    await sleep(200);
    expect(await mails()).toMatchObject([{ state: "pending", attempt_count: 0, error: null }]);
  });

  test("that died after the server had the message leaves it to another, under the same Message-ID", async () => {
    await newServer();
    const [id] = await queue();
    const [claimed] = await claimDueMails(context(), { slots: 1 });
    if (!claimed) throw new Error("nothing was claimed");
    await sender().send({
      messageId: `${claimed.messageId}@localhost`,
      to: claimed.recipient,
      subject: "x",
      text: "x",
      html: "x",
      unsubscribeUrl: null,
    });
    expect(await deliverDue()).toEqual([]);
    await world.crash();
    await releaseDead(world.db);
    expect(await deliverDue()).toEqual(["accepted"]);
    expect(idsOf(server)).toEqual([id, id]);
  });
});

describe("a message that is not accepted", () => {
  test.each([
    ["the server hangs", "hang"],
    ["the server refuses it for now", { recipient: 451 }],
    ["the connection breaks after DATA", "drop"],
  ] as const)("because %s is sent again later, under the same Message-ID", async (_, behavior) => {
    await newServer();
    const [id] = await queue();
    server.behave(behavior);
    expect(await deliverDue(behavior === "hang" ? sender(FAST) : sender())).toEqual(["failed"]);
    expect(await mails()).toMatchObject([
      { state: "pending", attempt_count: 1, error: expect.any(String), owner_id: null },
    ]);
    expect(await deliverDue()).toEqual([]);
    server.behave("accept");
    world.advance(60_000);
    expect(await deliverDue()).toEqual(["accepted"]);
    expect(new Set(idsOf(server))).toEqual(new Set([id]));
    world.advance(86_400_000);
    expect(await deliverDue()).toEqual([]);
  });

  test("because the recipient is refused is final, shown, and can be sent again by an admin", async () => {
    await newServer();
    await queue();
    server.behave({ recipient: 550 });
    expect(await deliverDue()).toEqual(["refused"]);
    world.advance(86_000_000);
    expect(await deliverDue()).toEqual([]);
    const { rows: listed } = await listMails(world.operator, { limit: 10 });
    expect(listed).toMatchObject([{ state: "failed", error: expect.stringContaining("not here") }]);
    server.behave("accept");
    await retryMail(world.operator, { mailId: listed[0]?.id ?? "" });
    expect(await deliverDue()).toEqual(["accepted"]);
    await expect(retryMail(world.operator, { mailId: listed[0]?.id ?? "" })).rejects.toMatchObject({
      code: "state_invalid",
    });
  });

  test("is retried about eight times within a day, and then given up", async () => {
    await newServer();
    await queue();
    server.behave({ recipient: 451 });
    const started = world.now().getTime();
    let attempts = 0;
    for (let minute = 0; minute <= 2 * 24 * 60; minute += 1) {
      attempts += (await deliverDue()).length;
      if ((await mails())[0]?.state === "failed") break;
      world.advance(60_000);
    }
    const hours = (world.now().getTime() - started) / 3_600_000;
    expect(attempts).toBeGreaterThanOrEqual(8);
    expect(attempts).toBeLessThanOrEqual(12);
    expect(hours).toBeGreaterThan(18);
    expect(hours).toBeLessThanOrEqual(24.1);
  });

  test("while the server is down for an hour arrives once it is back", async () => {
    await newServer();
    const ids = await queue(5);
    const { url } = server;
    await server.close();
    const down = createSmtpSender({ url, from: "desk@example.com", limits: FAST });
    for (let minute = 0; minute < 60; minute += 5) {
      for (const outcome of await deliverDue(down)) expect(outcome).toBe("failed");
      world.advance(5 * 60_000);
    }
    server = await startMailServer({ port: Number(new URL(url).port) });
    cleanups.push(() => server.close());
    for (let minute = 0; minute < 120; minute += 5) {
      await deliverDue(down);
      world.advance(5 * 60_000);
    }
    expect(idsOf(server).toSorted()).toEqual(ids.toSorted());
  });
});

test("a user who was disabled gets no more messages", async () => {
  await newServer();
  await queue();
  await world.db.query(sql("update users set disabled_at = now() where id = $1"), [userId]);
  expect(await deliverDue()).toEqual([]);
  expect(await mails()).toMatchObject([{ state: "failed", error: "Not sent: the user is disabled." }]);
  await world.db.query(sql("update users set disabled_at = null where id = $1"), [userId]);
});
