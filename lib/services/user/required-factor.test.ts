import { afterAll, beforeAll, expect, test } from "vitest";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import { hashPassword } from "#lib/services/user/password.ts";
import { totpCode } from "#tests/support/totp.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { confirmTotp, getOwnFactors, removeTotp, startTotp } from "./own-factors.ts";
import { setFactorRule } from "./set-factor-rule.ts";
import { findSession, signIn } from "./sign-in.ts";
import { createSignInGate } from "./sign-in-gate.ts";

const LIMITS = { idleMinutes: 60, maxHours: 48 };
const PASSWORD = "correct horse battery";
const gate = createSignInGate({ delayOf: () => 0, busyHoldMs: 5 });
const visitor = { address: "203.0.113.9", userAgent: "Firefox", findDevices: () => [] };

let world: World;
let made = 0;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

async function newPerson(resellerId: ResellerId | null, adminsNeedFactor = false) {
  made += 1;
  const email = `person${made}@example.com`;
  const { id } = await world.db.prisma.user.create({
    data: { email, name: "Ada", passwordHash: await hashPassword(PASSWORD), role: "owner", resellerId },
    select: { id: true },
  });
  const userId = id as never;
  const settings = {
    ...world.operator.settings,
    sealingKey: parseSealingKey(Buffer.alloc(32, 7).toString("base64")),
    adminsNeedFactor,
  };
  const entered = await signIn(world.db, { email, password: PASSWORD, ...visitor }, LIMITS, gate);
  if (entered.kind !== "signed_in") throw new Error(entered.kind);
  const { sessionId } = entered;
  const ctx = world.context(
    resellerId === null
      ? { kind: "admin", userId, resellerId: null, role: "owner" }
      : { kind: "reseller_user", userId, resellerId, role: "owner" },
    { settings, sessionId },
  );
  return {
    ctx,
    mustAddFactor: async () => (await findSession(world.db, sessionId, { adminsNeedFactor }))?.mustAddFactor,
    async setUp() {
      const { secret } = await startTotp(ctx);
      await confirmTotp(ctx, { secret, code: totpCode(secret, world.now()) });
    },
  };
}

test("an admin needs a second factor where others reach the server, and keeps the last one", async () => {
  const [local, reached] = [await newPerson(null), await newPerson(null, true)];
  expect([await local.mustAddFactor(), await reached.mustAddFactor()]).toEqual([false, true]);
  await reached.setUp();
  expect(await reached.mustAddFactor()).toBe(false);
  expect(await codeOf(removeTotp(reached.ctx))).toBe("state_invalid");
  expect((await getOwnFactors(reached.ctx)).totpSince).not.toBeNull();
  await local.setUp();
  expect(await codeOf(removeTotp(local.ctx))).toBe("done");
});

test("an owner with a second factor requires one of the whole team, of no other, and audited", async () => {
  const [own, foreign] = [await world.reseller(), await world.reseller()];
  const [owner, colleague, stranger] = [await newPerson(own.id), await newPerson(own.id), await newPerson(foreign.id)];
  expect(await codeOf(setFactorRule(owner.ctx, { required: true }))).toBe("state_invalid");
  await owner.setUp();
  await setFactorRule(owner.ctx, { required: true });
  await setFactorRule(owner.ctx, { required: true });
  const all = [owner, colleague, stranger];
  expect(await Promise.all(all.map((one) => one.mustAddFactor()))).toEqual([false, true, false]);
  expect(await codeOf(removeTotp(owner.ctx))).toBe("state_invalid");
  await setFactorRule(owner.ctx, { required: false });
  expect(await colleague.mustAddFactor()).toBe(false);
  expect(await codeOf(removeTotp(owner.ctx))).toBe("done");
  const entries = await world.db.prisma.auditEntry.findMany({
    where: { action: "reseller.set_factor_rule" },
    orderBy: { id: "asc" },
  });
  expect(entries.map(({ resellerId, data }) => [resellerId, data])).toEqual([
    [own.id, { required: true }],
    [own.id, { required: false }],
  ]);
});
