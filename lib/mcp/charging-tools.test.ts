import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiUser, type ApiWorld, newApiWorld } from "#tests/support/api.ts";
import { tools } from "./tools.ts";

let world: ApiWorld;
let user: ApiUser;
beforeAll(async () => {
  world = await newApiWorld();
  user = await world.user({ funds: "1000" });
});
afterAll(() => world.close());

/** What each tool that charges is asked for, apart from the confirmation. */
const orders: Readonly<Record<string, () => Promise<object>>> = {
  renew_license: async () => ({ license_id: (await user.register()).licenseId }),
};

test("every tool that charges is tried", () => {
  const charging = tools.filter(({ charges }) => charges).map(({ name }) => name);
  expect(Object.keys(orders).toSorted()).toEqual(charging.toSorted());
});

test.each(Object.entries(orders))(
  "%s charges only what was confirmed with its price, and once",
  async (name, order) => {
    const asked = await order();
    const before = await user.operations();
    const call = async (more: object) =>
      (await user.mcp("tools/call", { name, arguments: { ...asked, ...more } })).body.result;
    const { structuredContent: quote } = await call({});
    const { confirmation, price: expected_price } = quote;
    expect(quote).toMatchObject({ confirmation: expect.any(String), price: expect.any(Number) });
    expect(await call({ confirmation })).toMatchObject({ isError: true });
    expect(await user.operations()).toEqual(before);
    const charged = await call({ confirmation, expected_price });
    expect(charged.structuredContent).toMatchObject({ price: expected_price, balance_after: quote.balance_after });
    expect(await call({ confirmation, expected_price })).toEqual(charged);
    expect(await user.operations()).toHaveLength(before.length + 1);
  },
);
