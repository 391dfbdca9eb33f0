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

/** By the file of the service: buys what it needs, and returns the charge to try. */
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

async function refusalOf(promise: Promise<unknown>): Promise<DomainError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!isDomainError(error)) throw error ?? new Error("nothing was refused");
  return error;
}

test("every service that charges is tried here", () => {
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
  test("at another price than agreed nothing happens, and the refusal says the price", async () => {
    const charge = await prepare();
    const [wallet, operations, books] = await Promise.all([reseller.wallet(), reseller.operations(), world.books()]);

    const refusal = await refusalOf(charge(reseller.context(), { agreedPrice: 1n }));
    const price = refusal.amounts?.price ?? 0n;
    expect(refusal).toMatchObject({ code: "price_changed", amounts: { price, currency: "USD" } });
    expect(price).toBeGreaterThan(1n);
    expect(refusal.amounts).not.toHaveProperty("missing");
    expect(await reseller.wallet()).toEqual(wallet);
    expect(await reseller.operations()).toEqual(operations);
    expect(await world.books()).toEqual(books);

    await charge(reseller.context(), { agreedPrice: price });
    expect(await reseller.spendable()).toBe(wallet.posted - price);
  });

  test("another price is refused before the wallet is looked at", async () => {
    const charge = await prepare();
    await world.db.query(sql("update wallets set held = posted where reseller_id = $1"), [reseller.id]);
    expect(await refusalOf(charge(reseller.context(), { agreedPrice: 1n }))).toMatchObject({ code: "price_changed" });
  });

  test("too little to spend says the price and what is missing", async () => {
    const charge = await prepare();
    const { price } = (await refusalOf(charge(reseller.context(), { agreedPrice: 1n }))).amounts ?? { price: 0n };
    await world.db.query(sql("update wallets set held = posted - 1 where reseller_id = $1"), [reseller.id]);
    const refusal = await refusalOf(charge(reseller.context(), { agreedPrice: price }));
    expect(refusal).toMatchObject({
      code: "insufficient_balance",
      amounts: { price, missing: price - 1n, currency: "USD" },
    });
  });
});

test("what changes nothing costs nothing: at any other agreed price it is refused", async () => {
  const { licenseId } = await reseller.register({ type: "web_server" });
  const change = (agreed: Agreed) => changeLicenseCores(reseller.context(), { licenseId, cores: 1, ...agreed });
  expect(await refusalOf(change({ agreedPrice: 100n }))).toMatchObject({
    code: "price_changed",
    amounts: { price: 0n },
  });
  expect(await change({ agreedPrice: 0n })).toMatchObject({ providerStatus: "unchanged", price: 0n });
});

test("a credit is agreed to like a charge", async () => {
  const { licenseId } = await reseller.register({ type: "web_server" });
  await changeLicenseCores(reseller.context(), { licenseId, cores: 3 });
  const change = (agreed: Agreed) => changeLicenseCores(reseller.context(), { licenseId, cores: 2, ...agreed });
  const { amounts } = await refusalOf(change({ agreedPrice: 0n }));
  expect(amounts?.price).toBeLessThan(0n);
  expect(await change({ agreedPrice: amounts?.price ?? 0n })).toMatchObject({ price: amounts?.price });
});

test("too little to spend while the provider is down says the price and what is missing", async () => {
  const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
  const poor = await world.reseller({ funds: "4.50" });
  const ctx = poor.context({
    providers: new Map([[world.provider.name, { ...world.provider, acceptsRequests: () => false }]]),
  });
  const input = { productId, cycleId, ipAddress: world.freshIp() };
  expect(await refusalOf(registerLicense(ctx, input))).toMatchObject({
    code: "insufficient_balance",
    amounts: { price: 1450n, missing: 1000n, currency: "USD" },
  });
});

test("whoever is no API caller cannot be charged without having agreed to a price", async () => {
  const { licenseId } = await reseller.register();
  for (const ctx of [world.context(actors.user(reseller.id)), reseller.admin()]) {
    await expect(renewLicense(ctx, { licenseId })).rejects.toThrow(TypeError);
  }
  expect(await reseller.operations()).toHaveLength(1);
});

describe("in the source", () => {
  const root = new URL("../../../", import.meta.url);
  // Nobody is shown a price by the demonstration (lib/seed), which buys for itself.
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
  /** What charges when it is started: jobs whose items have prices. */
  const starters = sources.filter(
    ({ file, text }) =>
      file.startsWith("lib/services/") &&
      /\b(startBulkJob|startPlanned|retryJob)\((ctx|writesOf\(ctx\))/.test(text) &&
      !/function (startBulkJob|startPlanned)\b|quotedTotal: 0n/.test(text),
  );

  test("every caller of a service that charges says what was agreed to", () => {
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
    // Spread, it is named where the object is made.
    const says = ({ file, call }: (typeof calls)[number]) =>
      /agreed/i.test(call) || (call.includes("...") && /\bagreedPrice[:,]/.test(textOf(file)));
    expect(calls.filter((call) => !says(call))).toEqual([]);
  });

  test("what starts a job with prices compares the total with the agreed one", () => {
    const comparing = sources.filter(({ text }) => /\bpriceChanged\(/.test(text)).map(({ file }) => file);
    for (const { file, text } of starters) {
      expect(text.includes("startPlanned(") || comparing.includes(file), file).toBe(true);
    }
    expect(comparing).toContain("lib/services/bulk/plan.ts");
  });
});
