import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AccessEndedError } from "#lib/domain/access-ended.ts";
import { apiFetch } from "#lib/http/route-table.ts";
import { sql } from "#tests/sql.ts";
import { type ApiUser, type ApiWorld, newApiWorld, SOURCE } from "#tests/support/api.ts";

let world: ApiWorld;
beforeAll(async () => {
  world = await newApiWorld();
});
afterAll(() => world.close());

/** Reads the start of a list of one license, and the rest when a look-up of the key is no longer remembered. */
async function readSlowly({ apiKey }: ApiUser, meanwhile: () => Promise<unknown>): Promise<string> {
  const target = "/api/v1/licenses";
  const request = new Request(`http://desk.test${target}`, { headers: { authorization: `Bearer ${apiKey}` } });
  const { body } = await apiFetch(request, { peerAddress: SOURCE, target });
  const decoder = new TextDecoder();
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let text = decoder.decode((await reader.read()).value);
  await meanwhile();
  await sleep(1_000);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value);
  }
}

test.each([
  ["is revoked", "update api_keys set revoked_at = now() where reseller_id = $1"],
  ["expires", "update api_keys set expires_at = now() where reseller_id = $1"],
  ["ends with its reseller's suspension", "update resellers set suspended_at = now() where id = $1"],
])("a stream is cut off once its key %s", async (_, text) => {
  const user = await world.user({ funds: "100" });
  await user.register();
  await expect(readSlowly(user, () => world.db.query(sql(text), [user.id]))).rejects.toThrow(AccessEndedError);
});

test("a stream whose key stays valid is read to its end, however slowly", async () => {
  const user = await world.user({ funds: "100" });
  await user.register();
  const text = await readSlowly(user, async () => {});
  expect(JSON.parse(text).licenses).toHaveLength(1);
});
