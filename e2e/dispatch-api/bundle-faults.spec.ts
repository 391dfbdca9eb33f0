import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { expectBalancedBooks, findAtProvider, listEventKinds, readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, reconcile } from "../support/world.ts";

async function register(reseller: Reseller, ip_address: string) {
  const { bundle_id, cycle_id } = await reseller.newBundle([{}, {}, {}], { price: 2990n });
  return reseller.dispatch.post("bundle.register", { bundle_id, cycle_id, ip_address });
}

async function balance(reseller: Reseller) {
  const { balance, pending_transactions } = (await reseller.dispatch.get("balance")).body.data;
  return [balance, pending_transactions];
}

/** What the provider has been asked to hold for one reseller's newest operation: reference → state. */
async function statesAtProvider(reseller: Reseller): Promise<string[]> {
  const rows = await getRuntime().db.query(
    sql<{ state: string }>(`select s.state from operations o
             cross join lateral jsonb_array_elements(o.plan -> 'steps') step
             join sandbox_provider_licenses s on s.reference = step.value #>> '{request,reference}'
            where o.reseller_id = $1`),
    [reseller.resellerId],
  );
  return rows.map(({ state }) => state);
}

for (const [address, verdict] of [
  ["192.0.2.10", "400 REGISTRATION_FAILED"],
  ["192.0.2.50", "400 REGISTRATION_FAILED"],
  ["192.0.2.60", "503 PROVIDER_UNAVAILABLE"],
] as const) {
  test(`a bundle on ${address} is refused whole: no member, no charge, nothing live at the provider (contract 3.10, 5)`, async ({
    reseller,
  }) => {
    const answer = await register(reseller, address);
    expect(verdictOf(answer)).toBe(verdict);
    expect(await balance(reseller)).toEqual([1000, 0]);
    expect(await readTraces(reseller.resellerId)).toMatchObject({
      licenses: 0,
      bundleInstances: 0,
      entries: 1,
      held: 0n,
    });
    const states = await statesAtProvider(reseller);
    expect(states.filter((state) => state !== "terminated")).toEqual([]);
    // Only the last member was refused: those before it had been done, and were undone.
    expect(states).toHaveLength(address === "192.0.2.50" ? 2 : 0);
    await expectBalancedBooks(reseller.resellerId);
  });
}

for (const [address, what] of [
  ["192.0.2.20", "the first answer never arrives"],
  ["192.0.2.21", "the first request never arrives"],
  ["192.0.2.40", "the first answer is unreadable"],
] as const) {
  test(`a bundle on ${address}, where ${what}: 202 and held, then all or nothing (contract 3.10, 3.11, 5)`, async ({
    reseller,
  }) => {
    const { status, body } = await register(reseller, address);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ status: "pending", price: 29.9, balance_after: 970.1 });
    expect(body.data.licenses).toHaveLength(3);
    const { bundle_instance_id, operation_id } = body.data;
    expect(await balance(reseller)).toEqual([970.1, 1]);
    const renewed = await reseller.dispatch.post("bundle.renew", { bundle_instance_id });
    expect(verdictOf(renewed)).toBe("409 OPERATION_IN_PROGRESS");

    // The provider never saw the later members: the whole bundle is taken back.
    expect(await reconcile(operation_id)).toBe("rejected");
    expect(await balance(reseller)).toEqual([1000, 0]);
    expect(verdictOf(await reseller.dispatch.get("bundle.info", { bundle_instance_id }))).toBe("404 BUNDLE_NOT_FOUND");
    expect((await statesAtProvider(reseller)).filter((state) => state !== "terminated")).toEqual([]);
    expect(await listEventKinds(reseller.resellerId)).toContain("operation.settled");
    await expectBalancedBooks(reseller.resellerId);
  });
}

for (const [address, verdict] of [
  ["192.0.2.10", "400 IP_CHANGE_FAILED"],
  ["192.0.2.50", "400 IP_CHANGE_FAILED"],
  ["192.0.2.60", "503 PROVIDER_UNAVAILABLE"],
  ["192.0.2.20", "202"],
  ["192.0.2.21", "202"],
  ["192.0.2.40", "202"],
] as const) {
  test(`bundle.change_ip to ${address} ends with every member on one address, here and there (contract 3.10, 5)`, async ({
    reseller,
  }) => {
    const ip_address = reseller.newAddress();
    const { data } = (await register(reseller, ip_address)).body;
    const { bundle_instance_id } = data;
    const answer = await reseller.dispatch.post("bundle.change_ip", { bundle_instance_id, new_ip: address });
    expect(verdictOf(answer)).toBe(verdict);
    if (answer.status === 202) {
      expect(answer.body.data).toMatchObject({ status: "pending", provider_status: "pending", old_ip: ip_address });
      await reconcile(answer.body.data.operation_id);
    }
    const info = (await reseller.dispatch.get("bundle.info", { bundle_instance_id })).body.data;
    expect(info.ip_address).toBe(ip_address);
    for (const { license_id, license_key } of data.licenses) {
      const license = (await reseller.dispatch.get("license.info", { license_id })).body.data;
      expect(license.ip_address).toBe(ip_address);
      expect(await findAtProvider(license_key)).toMatchObject({ address: ip_address, state: "active" });
    }
    expect(await balance(reseller)).toEqual([970.1, 0]);
    const target = reseller.newAddress();
    expect((await reseller.dispatch.post("bundle.change_ip", { bundle_instance_id, new_ip: target })).status).toBe(200);
  });
}
