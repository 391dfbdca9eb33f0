import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import { codeOf } from "#tests/support/faults.ts";
import { actors, newWorld, type World } from "#tests/support/world.ts";
import { claimKey, keepAnswer, releaseKey } from "./claim.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const requestHash = Buffer.alloc(32, 1);

async function newAdmin() {
  const { id } = await world.db.prisma.user.create({
    data: { email: `${randomUUID()}@desk.example`, name: "Admin", passwordHash: "", role: "admin" },
  });
  return world.context({ kind: "admin", userId: id as UserId, resellerId: null });
}

test("of an admin's form that is about no reseller, sent several times at once, one goes on, and all later ones are told its answer", async () => {
  const admin = await newAdmin();
  const claim = { key: "form-1", requestHash };
  const claims = await Promise.allSettled([1, 2, 3, 4].map(() => claimKey(admin, claim)));
  expect(claims.filter(({ status }) => status === "fulfilled")).toEqual([{ status: "fulfilled", value: null }]);
  for (const outcome of claims) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "idempotency_in_progress" });
  }
  const answer = { status: 200, body: '{"done":true}' };
  await keepAnswer(admin, claim.key, answer);
  expect(await claimKey(admin, claim)).toEqual(answer);
  expect(await codeOf(claimKey(admin, { ...claim, requestHash: Buffer.alloc(32, 2) }))).toBe("idempotency_key_reused");
});

test("an admin's refused form can be sent again under its key, and keys of two admins, or of a reseller, never meet", async () => {
  const [admin, other] = [await newAdmin(), await newAdmin()];
  const { id } = await world.reseller();
  const claim = { key: "form-2", requestHash };
  expect(await claimKey(admin, claim)).toBeNull();
  await releaseKey(admin, claim.key);
  expect(await claimKey(admin, claim)).toBeNull();
  expect(await claimKey(other, claim)).toBeNull();
  expect(await claimKey(world.context(actors.admin(id)), claim)).toBeNull();
});

test("the operator's command line has no keys", async () => {
  expect(await codeOf(claimKey(world.operator, { key: "form-3", requestHash }))).toBe("permission_denied");
});
