import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiCall, type ApiUser, type ApiWorld, newApiWorld, verdictOf } from "#tests/support/api.ts";

let world: ApiWorld;
let user: ApiUser;
let order: Readonly<Record<"product_id" | "cycle_id", number>>;
beforeAll(async () => {
  world = await newApiWorld();
  user = await world.user({ funds: "1000" });
  const { productId, cycleId } = await world.offer(user.id, "control_panel");
  order = { product_id: productId, cycle_id: cycleId };
});
afterAll(() => world.close());

type Spelling = Pick<ApiCall, "form" | "json">;

const register = async (key: string, call: Spelling) => {
  const answer = await user.dispatch("license.register", { ...call, headers: { "idempotency-key": key } });
  return `${verdictOf(answer)}${answer.headers.get("idempotent-replayed") === "true" ? " replayed" : ""}`;
};

test("a request is the same in any spelling (contract 1.11)", async () => {
  const ip_address = world.freshIp();
  const fields = { ...order, ip_address };
  expect(await register("order", { form: fields })).toBe("200");
  const spellings: readonly Spelling[] = [
    { form: { ...fields, dry_run: "false" } },
    { json: JSON.stringify({ ...fields, dry_run: false, notes: null }) },
    { form: { ip_address: ` ${ip_address} `, cycle_id: order.cycle_id, product_id: order.product_id, notes: "" } },
  ];
  for (const spelling of spellings) expect(await register("order", spelling)).toBe("200 replayed");
});

test("a request that cannot be read is the same in a form and in JSON (contract 1.11)", async () => {
  const { product_id } = order;
  const form = { product_id: "1.0", cycle_id: "true", dry_run: "false" };
  expect(await register("unreadable", { form })).toBe("400 INVALID_PARAMETER");
  for (const json of ['{"product_id":1.0,"cycle_id":true,"dry_run":false}', '{"product_id":"1.0","cycle_id":"true"}']) {
    expect(await register("unreadable", { json })).toBe("400 INVALID_PARAMETER replayed");
  }
  expect(await register("unreadable", { form: { ...form, product_id } })).toBe("422 IDEMPOTENCY_KEY_REUSED");
});

test("a dry run that cannot be read uses up no key either (contract 3.18)", async () => {
  const ip_address = world.freshIp();
  const dryRun = { ...order, ip_address: "nowhere", dry_run: "true" };
  expect(await register("rehearsed", { form: dryRun })).toBe("400 INVALID_IP_ADDRESS");
  expect(await register("rehearsed", { form: { ...order, ip_address } })).toBe("200");
});
