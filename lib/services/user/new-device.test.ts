import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import { minuteText } from "#lib/domain/mail/blocks.ts";
import { mailKinds } from "#lib/domain/mail/kinds.ts";
import { sql } from "#tests/sql.ts";
import { deliverMails } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createUser } from "./create.ts";
import { resetUserPassword } from "./reset-password.ts";
import { signIn } from "./sign-in.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const LIMITS = { idleMinutes: 60, maxHours: 48 };

let world: World;
let made = 0;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(() => world.setClock(new Date(Date.now() + 60_000)));
afterAll(() => world.close());

async function newPerson() {
  const email = `person${++made}@example.com`;
  const { userId } = await createUser(world.operator, { email, name: "Ada", resellerId: null, role: "owner" });
  const { oneTimePassword } = await resetUserPassword(world.operator, { userId });
  await world.db.query(sql("delete from mails"), []);
  const enter = (
    visitor: { device?: string; knownFor?: UserId; address?: string; userAgent?: string; password?: string } = {},
  ) => {
    const { device = null, address = "198.51.100.7", userAgent = FIREFOX, password = oneTimePassword } = visitor;
    const { knownFor = userId } = visitor;
    const devices = device === null ? [] : [{ userId: knownFor, deviceId: device }];
    return signIn(world.db, { email, password, address, userAgent, findDevices: () => devices }, LIMITS);
  };
  return { email, userId, enter };
}

test("a sign-in on an unknown device is reported, with time, address, browser and what to do", async () => {
  const { email, enter } = await newPerson();
  expect(await enter()).toMatchObject({ kind: "signed_in" });
  const [queued] = await world.db.query(sql<{ at: string }>("select data ->> 'at' as at from mails"), []);
  expect(queued?.at).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
  const [mail, ...others] = await deliverMails(world);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: email, subject: "New sign-in to License Desk" });
  for (const fact of [minuteText(String(queued?.at)), "198.51.100.7", "Firefox on Linux"]) {
    expect(mail?.text).toContain(fact);
  }
  expect(mail?.text).toMatch(/change\s+your\s+password\s+and\s+sign\s+out\s+everywhere\s+else/);
  expect(mail?.text).toContain("https://desk.example.com/settings");
});

test("a known device is not reported", async () => {
  const { enter } = await newPerson();
  expect(await enter({ device: "a-known-device-of-hers" })).toMatchObject({ kind: "signed_in" });
  expect(await deliverMails(world)).toEqual([]);
});

test("a device that is known for another user of the address is reported", async () => {
  const { enter } = await newPerson();
  const { userId: knownFor } = await newPerson();
  const entered = await enter({ device: "a-known-device-of-another", knownFor });
  expect(entered).toMatchObject({ kind: "signed_in" });
  expect(entered).not.toMatchObject({ device: { deviceId: "a-known-device-of-another" } });
  expect(await deliverMails(world)).toHaveLength(1);
});

test("a wrong password reports nothing", async () => {
  const { enter } = await newPerson();
  expect(await enter({ password: "wrong" })).toMatchObject({ kind: "refused" });
  expect(await deliverMails(world)).toEqual([]);
});

test("a browser that keeps no cookies is reported once a day, another browser or address again", async () => {
  const { enter } = await newPerson();
  for (let time = 0; time < 3; time++) await enter();
  expect(await deliverMails(world)).toHaveLength(1);
  await enter({ address: "198.51.100.8" });
  await enter({ userAgent: "curl/8.5.0" });
  expect(await deliverMails(world)).toHaveLength(2);
});

test("nothing switches it off", async () => {
  expect(mailKinds.new_device.readers).toBeNull();
  const { userId, enter } = await newPerson();
  await world.db.query(sql("insert into mail_opt_outs (user_id, kind) values ($1, 'new_device')"), [userId]);
  await enter();
  expect(await deliverMails(world)).toHaveLength(1);
});
