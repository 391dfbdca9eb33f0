import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { claimDeployment } from "./deployment.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

test.each([
  [
    "session",
    `insert into sessions (id, user_id, address, user_agent, created_at, proven_at, idle_at, expires_at)
       select gen_random_uuid(), $1, '', '', now(), now(), now() + interval '1 hour', now() + interval '1 day'`,
    "select from sessions where user_id = $1 and revoked_at is null",
  ],
  [
    "sign-in that waits for the second factor",
    "insert into pending_sign_ins (token_hash, user_id, expires_at) select 'hash', $1, now() + interval '5 minutes'",
    "select from pending_sign_ins where user_id = $1",
  ],
])("a resumed database has no earlier %s, also none that is being stored", async (name, add, left) => {
  const person = { email: `${randomUUID()}@example.com`, name, password: "correct horse battery" };
  const { userId } = await createAdmin(world.operator, person);
  const storing = await world.db.begin();
  await storing.query(sql(add), [userId]);
  const resuming = claimDeployment(world.url, randomUUID());
  const waiting = sql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
  await vi.waitFor(async () => expect(await world.db.query(waiting, [])).toHaveLength(1));
  await storing.commit();
  await resuming;
  expect(await world.db.query(sql(left), [userId])).toEqual([]);
});
