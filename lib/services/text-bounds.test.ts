/** Of what a person types, the longest text is stored as it is, and one more character is refused with its field. */
import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createResellerApiKey } from "./api-key/create.ts";
import { actOnCase } from "./reconciliation/act.ts";
import { createReseller } from "./reseller/create.ts";
import { setResellerSuspended, updateReseller } from "./reseller/settings.ts";
import { adjustWallet } from "./wallet/adjust.ts";
import { decideTopUp } from "./wallet/decide-top-up.ts";
import { setCurrencyPaymentSettings } from "./wallet/payment-settings.ts";
import { refundCharge } from "./wallet/refund.ts";
import { requestTopUp } from "./wallet/request-top-up.ts";
import { topUpWallet } from "./wallet/top-up.ts";

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

const created = { name: "Created", email: "created@example.com", currency: "EUR" };
const requestOf = (request: { readonly reference: string; readonly note?: string }) =>
  requestTopUp(world.context(actors.user(reseller.id)), { amount: "1", method: "card", ...request });
const newRequest = async () => ({ requestId: (await requestOf({ reference: randomUUID() })).id });
const charge = async () => ({ operationId: (await reseller.register()).operation.id });
const paid = () => ({ resellerId: reseller.id, amount: "1" });

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
  [
    "name",
    100,
    "api_keys.name",
    (name) => createResellerApiKey(world.context(actors.user(reseller.id)), { name, scopes: ["licenses:read"] }),
  ],
  ["name", 100, "resellers.name", (name) => createReseller(admin(), { ...created, name })],
  ["notes", 4_000, "resellers.notes", (notes) => createReseller(admin(), { ...created, notes })],
  [
    "person",
    100,
    "users.name",
    (name) => createReseller(admin(), { ...created, email: `${name.length}@example.com`, firstUser: { name } }),
  ],
  ["note", 1_000, "ledger_entries.note", (note) => topUpWallet(admin(), { ...paid(), note })],
  [
    "reference",
    100,
    "ledger_entries.reference",
    (reference) => topUpWallet(admin(), { ...paid(), note: "", reference }),
  ],
  ["reason", 1_000, "ledger_entries.note", (reason) => adjustWallet(admin(), { ...paid(), reason })],
  [
    "reference",
    100,
    "ledger_entries.reference",
    (reference) => adjustWallet(admin(), { ...paid(), reason: "late", reference }),
  ],
  ["reason", 1_000, "ledger_entries.note", async (reason) => refundCharge(admin(), { ...(await charge()), reason })],
  [
    "reference",
    100,
    "ledger_entries.reference",
    async (reference) => refundCharge(admin(), { ...(await charge()), reason: "late", reference }),
  ],
  ["note", 1_000, "top_up_requests.note", (note) => requestOf({ reference: "noted", note })],
  ["reference", 100, "top_up_requests.reference", (reference) => requestOf({ reference })],
  [
    "note",
    1_000,
    "top_up_requests.decision_note",
    async (note) => decideTopUp(admin(), { ...(await newRequest()), decision: "approve", note }),
  ],
  ["issuer", 500, "payment_settings.issuer", (issuer) => setCurrencyPaymentSettings(admin(), { ...payment, issuer })],
];

test.each(texts)("%s: %i characters in %s", async (field, most, column, set) => {
  // One character each, of two UTF-16 units; references have others only.
  const longest = (field === "reference" ? "x" : "😀").repeat(most);
  const [table, name] = column.split(".");
  const countStored = async () =>
    (await world.db.query(sql(`select from ${table} where ${name} = $1`), [longest])).length;
  const before = await countStored();
  await set(longest);
  expect(await countStored()).toBe(before + 1);
  for (const refused of ["x".repeat(most + 1), `${longest}x`, "a\0"]) {
    await expect(set(refused)).rejects.toMatchObject({ code: "parameters_invalid", problems: [{ field }] });
  }
});

test("reason: 1000 characters of an action of a case", async () => {
  const act = (reason: string) => actOnCase(admin(), { caseId: 999_999, action: "dismiss", reason });
  await expect(act("😀".repeat(1_000))).rejects.toMatchObject({ code: "not_found" });
  for (const refused of ["", "x".repeat(1_001), "a\0"]) {
    await expect(act(refused)).rejects.toMatchObject({ code: "parameters_invalid", problems: [{ field: "reason" }] });
  }
});

const root = join(import.meta.dirname, "..", "..");
const sources = globSync("lib/{services,domain}/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] })
  .toSorted()
  .map((file) => ({ file, source: readFileSync(join(root, file), "utf8") }));
const filesOf = (lists: Readonly<Record<string, string>>) =>
  Object.values(lists)
    .flatMap((files) => files.split(", "))
    .toSorted();

/** Services that trim or take free text and check no bound, and why they need none. */
const unbounded = {
  "an amount": "api-key/set-spending-limit, catalog/save-prices, wallet/meant-amount",
  "an email address, which has a form": "user/email, user/find-password-user",
  "checked by `checkApiKeyFields`": "api-key/create",
  "an API parameter in every caller": "license/register, license/set-notes, license/start-import, license/suspend",
  "our own text": "audit/record, catalog/plan-import",
};

test("a service that trims or takes free text checks that it can be stored, with these exceptions", () => {
  const takes = /\.trim\(\)|readonly (?:notes?|reason|reference|description|instructions)\??: string/;
  const checks = /\b(?:isStorable|isStorableWithin|readText|readRequired|findNameProblem)\(/;
  const found = sources.filter(({ source }) => takes.test(source) && !checks.test(source));
  const services = found.flatMap(({ file }) => /^lib\/services\/(.+)\.ts$/.exec(file)?.[1] ?? []);
  expect(services).toEqual(filesOf(unbounded));
});

/** Files that compare a length with a bound, and why it may count UTF-16 units. */
const units = {
  "ASCII only": "domain/hostname, domain/known-device, services/provider/validate",
  "not stored": "domain/password, services/user/check-passkey, services/user/password",
  "percent-encoded": "services/saved-view/save",
  "the count of characters itself, and what is shown": "domain/text",
};

test("the length of text is counted in characters, with these exceptions", () => {
  const found = sources.filter(({ source }) => /\.length (?:[<>]=?) \w*length\b/i.test(source));
  expect(found.map(({ file }) => file.slice("lib/".length, -".ts".length))).toEqual(filesOf(units));
});
