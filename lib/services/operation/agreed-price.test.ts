import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DomainError, isDomainError } from "#lib/domain/errors.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

type Agreed = { readonly agreedPrice?: bigint };
type Charge = (ctx: ServiceContext, agreed: Agreed) => Promise<unknown>;

/** By service file: buys what the charge requires, and returns the charge. */
const charges: Readonly<Record<string, () => Promise<Charge>>> = {
  async "license/register.ts"() {
    const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
    const ipAddress = world.freshIp();
    return (ctx, agreed) => registerLicense(ctx, { productId, cycleId, ipAddress, ...agreed });
  },
  async "license/renew.ts"() {
    const { licenseId } = await reseller.register();
    return (ctx, agreed) => renewLicense(ctx, { licenseId, ...agreed });
  },
  async "license/change-core.ts"() {
    const { licenseId } = await reseller.register({ type: "web_server" });
    return (ctx, agreed) => changeLicenseCores(ctx, { licenseId, cores: 3, ...agreed });
  },
  async "bundle/register.ts"() {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    const ipAddress = world.freshIp();
    return (ctx, agreed) => registerBundle(ctx, { bundleId, cycleId, ipAddress, ...agreed });
  },
  async "bundle/renew.ts"() {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    const ipAddress = world.freshIp();
    const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress });
    return (ctx, agreed) => renewBundle(ctx, { bundleInstanceId: instance.id, ...agreed });
  },
};

async function rejectionOf(promise: Promise<unknown>): Promise<DomainError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!isDomainError(error)) throw error ?? new Error("nothing was rejected");
  return error;
}

test("every service that charges is covered", () => {
  const services = new URL("..", import.meta.url);
  const charging = readdirSync(services, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      file.endsWith(".ts") &&
      !file.endsWith("change-at-provider.ts") &&
      !file.endsWith(".test.ts") &&
      /\bchargeAtProvider\(/.test(readFileSync(new URL(file, services), "utf8")),
  );
  expect(charging.toSorted()).toEqual(Object.keys(charges).toSorted());
});

describe.each(Object.entries(charges))("%s (contract 3.15)", (_, prepare) => {
  test("a price other than agreed changes nothing, and the error has the price", async () => {
    const charge = await prepare();
    const [wallet, operations, books] = await Promise.all([reseller.wallet(), reseller.operations(), world.books()]);

    const rejection = await rejectionOf(charge(reseller.context(), { agreedPrice: 1n }));
    const price = rejection.amounts?.price ?? 0n;
    expect(rejection).toMatchObject({ code: "price_changed", amounts: { price, currency: "USD" } });
    expect(price).toBeGreaterThan(1n);
    expect(rejection.amounts).not.toHaveProperty("missing");
    expect(await reseller.wallet()).toEqual(wallet);
    expect(await reseller.operations()).toEqual(operations);
    expect(await world.books()).toEqual(books);

    await charge(reseller.context(), { agreedPrice: price });
    expect(await reseller.spendable()).toBe(wallet.posted - price);
  });

  test("another price is rejected before the balance is checked", async () => {
    const charge = await prepare();
    await world.db.query(sql("update wallets set held = posted where reseller_id = $1"), [reseller.id]);
    expect(await rejectionOf(charge(reseller.context(), { agreedPrice: 1n }))).toMatchObject({ code: "price_changed" });
  });

  test("insufficient balance has the price and the missing amount", async () => {
    const charge = await prepare();
    const { price } = (await rejectionOf(charge(reseller.context(), { agreedPrice: 1n }))).amounts ?? { price: 0n };
    await world.db.query(sql("update wallets set held = posted - 1 where reseller_id = $1"), [reseller.id]);
    const rejection = await rejectionOf(charge(reseller.context(), { agreedPrice: price }));
    expect(rejection).toMatchObject({
      code: "insufficient_balance",
      amounts: { price, missing: price - 1n, currency: "USD" },
    });
  });
});

test("a change of nothing costs 0, and any other agreed price is rejected", async () => {
  const { licenseId } = await reseller.register({ type: "web_server" });
  const change = (agreed: Agreed) => changeLicenseCores(reseller.context(), { licenseId, cores: 1, ...agreed });
  expect(await rejectionOf(change({ agreedPrice: 100n }))).toMatchObject({
    code: "price_changed",
    amounts: { price: 0n },
  });
  expect(await change({ agreedPrice: 0n })).toMatchObject({ providerStatus: "unchanged", price: 0n });
});

test("a credit must be agreed like a charge", async () => {
  const { licenseId } = await reseller.register({ type: "web_server" });
  await changeLicenseCores(reseller.context(), { licenseId, cores: 3 });
  const change = (agreed: Agreed) => changeLicenseCores(reseller.context(), { licenseId, cores: 2, ...agreed });
  const { amounts } = await rejectionOf(change({ agreedPrice: 0n }));
  expect(amounts?.price).toBeLessThan(0n);
  expect(await change({ agreedPrice: amounts?.price ?? 0n })).toMatchObject({ price: amounts?.price });
});

test("users and admins cannot be charged without an agreed price", async () => {
  const { licenseId } = await reseller.register();
  for (const ctx of [world.context(actors.user(reseller.id)), reseller.admin()]) {
    await expect(renewLicense(ctx, { licenseId })).rejects.toThrow(TypeError);
  }
  expect(await reseller.operations()).toHaveLength(1);
});

describe("the source", () => {
  const root = new URL("../../../", import.meta.url);
  // The demonstration (lib/seed) buys without showing a price.
  const sources = ["lib", "app"]
    .flatMap((folder) =>
      readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/generated\/|^lib\/seed\//.test(file))
    .map((file) => ({ file, text: readFileSync(new URL(file, root), "utf8") }));
  const textOf = (name: string) => sources.find(({ file }) => file === name)?.text ?? "";
  const exported = (text: string) =>
    [...text.matchAll(/export async function (\w+)/g)].flatMap(([, name]) => name ?? []);

  /** The arguments of every call of a function by one of these names. */
  function callsOf(names: readonly string[]): { readonly file: string; readonly call: string }[] {
    const pattern = new RegExp(`(?<!function |\\.)\\b(?:${names.join("|")})\\(`, "g");
    return sources.flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map(({ 0: head, index }) => {
        let end = index + head.length;
        for (let depth = 1; depth > 0; end++) depth += text[end] === "(" ? 1 : text[end] === ")" ? -1 : 0;
        return { file, call: text.slice(index, end) };
      }),
    );
  }

  const charging = Object.keys(charges).map((file) => `lib/services/${file}`);
  /** Services that start jobs whose items have prices. */
  const starters = sources.filter(
    ({ file, text }) =>
      file.startsWith("lib/services/") &&
      /\b(startBulkJob|startPlannedJob|retryJob)\((ctx|writesOf\(ctx\))/.test(text) &&
      !/function (startBulkJob|startPlannedJob)\b|quotedTotal: 0n/.test(text),
  );

  test("every caller of a service that charges passes the agreed price", () => {
    const names = sources
      .filter(({ file }) => charging.includes(file) || starters.some((starter) => starter.file === file))
      .flatMap(({ text }) => exported(text));
    expect(names).toEqual(
      expect.arrayContaining([
        "registerLicense",
        "renewBundle",
        "startLicenseImport",
        "startBundleBulk",
        "retryFailedBulkItems",
      ]),
    );
    const calls = callsOf(names);
    expect(calls.length).toBeGreaterThanOrEqual(names.length);
    /** Whether the call is all that its action's parsed input goes to, and the price is part of that input. */
    const passesActionInput = ({ file, call }: (typeof calls)[number]) =>
      textOf(file)
        .split(/^export const /m)
        .some((action) => {
          const parsed = /\bagreed_\w+: agreedPrice\b.*\brun: async \(ctx, (\w+)/s.exec(action)?.[1];
          return action.includes(call) && call.endsWith(`(ctx, ${parsed})`);
        });
    // A spread object has it where it is created. A service that passes on its whole input is itself in `names`.
    const passesPrice = ({ file, call }: (typeof calls)[number]) =>
      /agreed/i.test(call) ||
      passesActionInput({ file, call }) ||
      (charging.includes(file) && call.endsWith("(ctx, input)")) ||
      (call.includes("...") && /\bagreedPrice[:,]/.test(textOf(file)));
    expect(calls.filter((call) => !passesPrice(call))).toEqual([]);
  });

  test("every service that starts a priced job compares the total with the agreed one", () => {
    const comparing = sources.filter(({ text }) => /\bpriceChanged\(/.test(text)).map(({ file }) => file);
    for (const { file, text } of starters) {
      expect(text.includes("startPlannedJob(") || comparing.includes(file), file).toBe(true);
    }
    expect(comparing).toContain("lib/services/bulk/plan.ts");
  });
});
