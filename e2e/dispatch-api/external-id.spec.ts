import { expectBalancedBooks, listEventKinds } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, setLicense } from "../support/world.ts";

const order = async (reseller: Reseller, external_id = "order-1004") => {
  const { product_id, cycle_id } = await reseller.newProduct({ price: 1000n });
  return { product_id, cycle_id, ip_address: reseller.newAddress(), external_id };
};
const register = (reseller: Reseller, fields: Awaited<ReturnType<typeof order>>) =>
  reseller.dispatch.post("license.register", fields);

test("an external_id buys one license, however often and wherever it is ordered (contract 3.17)", async ({
  reseller,
}) => {
  const fields = await order(reseller);
  const first = await register(reseller, fields);
  expect([first.status, first.body.data]).toMatchObject([
    200,
    { price: 10, existing: false, external_id: "order-1004" },
  ]);
  const second = await register(reseller, { ...fields, ip_address: reseller.newAddress() });
  const { license_id, license_key, expires_at } = first.body.data;
  expect([second.status, second.body.data]).toEqual([
    200,
    {
      license_id,
      license_key,
      expires_at,
      price: 0,
      currency: "USD",
      balance_after: 990,
      external_id: "order-1004",
      existing: true,
    },
  ]);
  expect(await listEventKinds(reseller.resellerId)).toEqual(["wallet.topped_up", "license.activated"]);
  await expectBalancedBooks(reseller.resellerId);
});

test("twenty simultaneous orders with one external_id yield one license and one charge (contract 3.17)", async ({
  reseller,
}) => {
  const fields = await order(reseller);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => register(reseller, { ...fields, ip_address: reseller.newAddress() })),
  );
  const verdicts = answers.map((answer) =>
    answer.status === 200 ? String(answer.body.data.existing) : verdictOf(answer),
  );
  expect(verdicts.filter((verdict) => verdict === "false")).toHaveLength(1);
  expect(verdicts.filter((verdict) => !["false", "true", "409 OPERATION_IN_PROGRESS"].includes(verdict))).toEqual([]);
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(990);
  expect((await reseller.dispatch.get("license.list")).body.data.licenses).toHaveLength(1);
});

test("an order whose outcome is unknown is neither repeated nor returned as done (contract 3.11, 3.17)", async ({
  reseller,
}) => {
  const fields = { ...(await order(reseller)), ip_address: "192.0.2.20" };
  expect((await register(reseller, fields)).status).toBe(202);
  const again = await register(reseller, { ...fields, ip_address: reseller.newAddress() });
  expect([verdictOf(again), Number(again.headers["retry-after"]) > 0]).toEqual(["409 OPERATION_IN_PROGRESS", true]);
  expect((await reseller.dispatch.get("balance")).body.data).toMatchObject({ balance: 990, pending_transactions: 1 });
});

test("a rejected order and a terminated license leave the name free; another product is refused (contract 3.17)", async ({
  reseller,
}) => {
  const fields = await order(reseller);
  const taken = await reseller.newLicense();
  const other = { ...fields, product_id: taken.product_id, cycle_id: taken.cycle_id };
  const rejected = await register(reseller, { ...other, ip_address: "192.0.2.10" });
  expect(verdictOf(rejected)).toBe("400 REGISTRATION_FAILED");
  const { license_id } = (await register(reseller, fields)).body.data;
  const refused = await register(reseller, other);
  expect([verdictOf(refused), refused.body.details]).toEqual([
    "400 INVALID_PARAMETER",
    { external_id: expect.stringContaining(String(license_id)) },
  ]);
  await setLicense(license_id as never, "terminated");
  expect((await register(reseller, other)).body.data).toMatchObject({ existing: false });
  const { licenses } = (await reseller.dispatch.get("license.list", { external_id: "order-1004" })).body.data;
  expect(licenses.map(({ status }) => status)).toEqual(["terminated", "active"]);
});

test("255 characters of any script are a name; another reseller's is its own (contract 1.8, 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const name = `${"注😀".repeat(127)}é`;
  const fields = await order(reseller, name);
  expect((await register(reseller, fields)).body.data.external_id).toBe(name);
  const long = await register(reseller, { ...fields, external_id: `${name}x` });
  expect([verdictOf(long), long.body.details]).toEqual(["400 INVALID_PARAMETER", { external_id: expect.any(String) }]);
  const other = await newReseller();
  const theirs = await register(other, await order(other, name));
  expect(theirs.body.data).toMatchObject({ existing: false, price: 10 });
  const found = await reseller.path.get("/licenses", { external_id: name });
  expect(found.body.licenses).toHaveLength(1);
});

test("a registration where the reseller's own suspended license is names its id (contract 3.3)", async ({
  reseller,
  newReseller,
}) => {
  const ip = reseller.newAddress();
  const { license_id, product_id, cycle_id } = await reseller.newLicense({ ip });
  await reseller.dispatch.post("license.suspend", { license_id });
  const refused = await reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address: ip });
  expect([verdictOf(refused), refused.body.details]).toEqual([
    "400 REGISTRATION_FAILED",
    { license_id: String(license_id), ip_address: expect.stringContaining("suspended"), reason: "address_taken" },
  ]);
  const stranger = await newReseller();
  const foreign = await stranger.dispatch.post("license.register", { product_id, cycle_id, ip_address: ip });
  expect(foreign.text).not.toContain(String(license_id));
});
