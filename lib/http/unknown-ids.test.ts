import { afterAll, beforeAll, expect, test } from "vitest";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { operations } from "./dispatch-api/interface.ts";
import type { Endpoint, RawParameters } from "./endpoint.ts";
import { pathTargets } from "./path-api/interface.ts";

const currency = "USD" as Currency;
const endpoints: readonly Endpoint[] = [
  ...operations,
  ...Object.values(pathTargets).flatMap((byMethod) => Object.values(byMethod)),
];
/** Of nothing; in the right form, except those in a path. */
const unknownIds: RawParameters = {
  id: "x",
  endpoint_id: "whe_2147483647",
  event_id: "evt_1b4e28ba-2fa1-41d2-883f-0016d3cca427",
  operation_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
  license_id: "2147483647",
  license_key: createLicenseKey((count) => new Uint8Array(count)),
  product_id: "2147483647",
  cycle_id: "2147483647",
  bundle_id: "2147483647",
  bundle_instance_id: "2147483647",
};
/** Values that only the service refuses; an object is no value of any field. */
const refused: RawParameters = {
  url: "x",
  bot_token: "x",
  chat_id: "no chat",
  description: "x".repeat(501),
  events: ["license.gone"],
  concurrency: "11",
  event: "license.gone",
  cursor: "x",
};
const idsInPaths = ["whe_2147483647", "evt_1b4e28ba-2fa1-41d2-883f-0016d3cca427", unknownIds.id];
const cases = endpoints.flatMap((endpoint) => {
  const names = Object.keys(endpoint.schemaFor(currency).shape);
  if (!names.some((name) => name in unknownIds)) return [];
  return names
    .filter((name) => !(name in unknownIds) && name !== "dry_run")
    .map((name) => ({ endpoint, name, title: `${endpoint.name} ${name}` }));
});

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
});
afterAll(() => world.close());

async function codeOfRequest(endpoint: Endpoint, raw: RawParameters): Promise<string> {
  try {
    const read = endpoint.read(raw, { sourceAddress: "198.51.100.7", currency });
    const { status } = await read.handle(reseller.context());
    return String(status);
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
}

test.each(cases)("$title: a bad value is the answer whether the id exists or not (contract 1.3)", async (one) => {
  const { endpoint, name } = one;
  const known = Object.keys(endpoint.schemaFor(currency).shape).filter((field) => field in unknownIds);
  const ids = Object.fromEntries(known.map((field) => [field, unknownIds[field]]));
  for (const id of "id" in ids ? idsInPaths : [undefined]) {
    const raw = { ...ids, id, [name]: refused[name] ?? {} };
    expect(await codeOfRequest(endpoint, raw)).toBe("parameters_invalid");
  }
});

test("valid values of something that does not exist are not found", async () => {
  const update = endpoints.find(({ name }) => name === "webhook_endpoints.update") ?? expect.unreachable();
  for (const fields of [{}, { chat_id: "-1001234567890" }, { url: "https://hooks.example/desk" }]) {
    for (const id of idsInPaths) expect(await codeOfRequest(update, { ...fields, id })).toBe("not_found");
  }
});
