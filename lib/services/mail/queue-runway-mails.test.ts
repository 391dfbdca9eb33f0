import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ResellerRole } from "#lib/domain/roles.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { deliverMails, mailSettings } from "#tests/support/mails.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { queueRunwayMails } from "./queue-runway-mails.ts";

const DAY = 86_400_000;

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(() => world.setClock("2027-03-10T12:00:00Z"));
afterAll(() => world.close());

const worker = () => world.context({ kind: "system", name: "worker" }, { settings: mailSettings(world) });
async function mailed() {
  await queueRunwayMails(worker());
  return (await deliverMails(world)).map(({ to, subject, text }) => ({ to, subject, text }));
}

let made = 0;
/** A reseller with $5.00 and one license on auto-renew: $14.50, due on 10 April. */
async function newReseller(role: ResellerRole = "owner") {
  made += 1;
  const email = `payer${made}@example.com`;
  const reseller = await world.reseller({ funds: "100" });
  await world.db.prisma.user.create({
    data: { email, name: "Payer", passwordHash: "", role, resellerId: reseller.id },
  });
  const { licenseId } = await reseller.register({ type: "control_panel" });
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  await adjustWallet(world.operator, { resellerId: reseller.id, amount: "-80.5", reason: "test" });
  return { resellerId: reseller.id, email };
}

test("a balance that does not pay for the renewals of the next 14 days is reported once, with what is needed", async () => {
  const { email } = await newReseller();
  expect(await mailed()).toEqual([]);
  world.advance(18 * DAY);
  const [mail, ...others] = await mailed();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: email, subject: "Your balance runs out on Apr 10, 2027 UTC" });
  expect(mail?.text).toContain("1 automatic renewal");
  expect(mail?.text).toMatch(/First unpaid renewal: Apr 10, 2027, 12:00\sPM UTC/);
  expect(mail?.text).toMatch(/Top-up needed: .*9\.50/);
  world.advance(DAY);
  expect(await mailed()).toEqual([]);
});

test("a balance that pays, and users who do not see the wallet, get no message", async () => {
  const { resellerId } = await newReseller();
  await newReseller("support");
  world.advance(18 * DAY);
  await topUpWallet(world.operator, { resellerId, amount: "9.50", note: "" });
  expect(await mailed()).toEqual([]);
});

test("any number of workers write it once", async () => {
  await newReseller();
  world.advance(18 * DAY);
  await Promise.all([queueRunwayMails(worker()), queueRunwayMails(worker())]);
  expect(await deliverMails(world)).toHaveLength(1);
});
