/** Of what a person types, the longest text is stored as it is, and one more character is refused with its field. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { setResellerSuspended, updateReseller } from "./reseller/settings.ts";
import { setCurrencyPaymentSettings } from "./wallet/payment-settings.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const admin = () => world.context(actors.admin(null));
const payment = { currency: "USD", confirmAbove: "1", instructions: "", issuer: "" };

const texts: readonly (readonly [
  field: string,
  most: number,
  column: string,
  set: (text: string) => Promise<unknown>,
])[] = [
  ["name", 100, "resellers.name", (name) => updateReseller(admin(), { resellerId: reseller.id, name })],
  ["notes", 4_000, "resellers.notes", (notes) => updateReseller(admin(), { resellerId: reseller.id, notes })],
  [
    "reason",
    1_000,
    "resellers.suspension_reason",
    (reason) => setResellerSuspended(admin(), { resellerId: reseller.id, suspended: true, reason }),
  ],
  [
    "instructions",
    2_000,
    "payment_settings.instructions",
    (instructions) => setCurrencyPaymentSettings(admin(), { ...payment, instructions }),
  ],
  ["issuer", 500, "payment_settings.issuer", (issuer) => setCurrencyPaymentSettings(admin(), { ...payment, issuer })],
];

test.each(texts)("%s: %i characters in %s", async (field, most, column, set) => {
  // One character each, of two UTF-16 units.
  const longest = "😀".repeat(most);
  const [table, name] = column.split(".");
  await set(longest);
  const stored = await world.db.query(sql(`select from ${table} where ${name} = $1`), [longest]);
  expect(stored).toHaveLength(1);
  for (const refused of ["x".repeat(most + 1), `${longest}x`, "a\0"]) {
    await expect(set(refused)).rejects.toMatchObject({ code: "parameters_invalid", problems: [{ field }] });
  }
});
