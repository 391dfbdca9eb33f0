import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Currency } from "#lib/domain/money.ts";
import { type ApiUser, type ApiWorld, newApiWorld } from "#tests/support/api.ts";
import { operations } from "./dispatch-api/interface.ts";
import { licenseUpdate } from "./path-api/license.ts";

let world: ApiWorld;
let user: ApiUser;
let order: Readonly<Record<string, number>>;
beforeAll(async () => {
  world = await newApiWorld();
  user = await world.user({ funds: "1000" });
  const { productId: product_id, cycleId: cycle_id } = await world.offer(user.id, "control_panel");
  order = { product_id, cycle_id };
});
afterAll(() => world.close());

interface License {
  readonly license_id: number;
  readonly license_key: string;
}

const register = (form: object = {}) =>
  user.dispatch("license.register", { form: { ...order, ip_address: world.freshIp(), ...form } });
const registered = async (): Promise<License> => (await register()).body.data;
const labels = {
  customer_name: "Seen GmbH",
  customer_email: "seen@acme.example",
  customer_reference: "SEEN-1",
  tags: "seen",
};

interface Writer {
  readonly send: (fields: object) => Promise<License>;
  /** One of each parameter. */
  readonly values: object;
}

/** The operations that write what a reseller notes of a license. */
const writers: Readonly<Record<string, Writer>> = {
  "license.register": {
    send: async (fields) => (await register(fields)).body.data,
    values: { ip_address: "198.51.100.77", notes: "Seen rack", external_id: "seen-4711" },
  },
  "license.update": {
    send: async (fields) => {
      const license = await registered();
      await user.path("/license/update", { json: JSON.stringify({ license_key: license.license_key, ...fields }) });
      return license;
    },
    values: { hostname: "seen.example", ip_address: "198.51.100.78", ...labels },
  },
  "license.set_labels": {
    send: async (fields) => {
      const license = await registered();
      await user.dispatch("license.set_labels", { form: { license_id: license.license_id, ...fields } });
      return license;
    },
    values: labels,
  },
};

/** They choose what is written to, or how it is charged. */
const others = ["product_id", "cycle_id", "license_id", "license_key", "expected_price", "dry_run"];
const endpoints = [...operations, licenseUpdate];

describe.each(Object.entries(writers))("%s", (name, { send, values }) => {
  test("is tried with each of its parameters", () => {
    const endpoint = endpoints.find((one) => one.name === name) ?? expect.unreachable(name);
    const written = Object.keys(endpoint.schemaFor("USD" as Currency).shape).filter((one) => !others.includes(one));
    expect(Object.keys(values).toSorted()).toEqual(written.toSorted());
  });

  test.each(Object.entries(values))("writes %s, which is read back", async (parameter, value) => {
    const { license_id, license_key } = await send({ [parameter]: value });
    const info = await user.dispatch("license.info", { query: { license_id } });
    const status = await user.path("/license/status", { query: { license_key } });
    expect(info.text + status.text).toContain(value);
  });
});
