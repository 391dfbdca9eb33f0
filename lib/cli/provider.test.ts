import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { seedCatalog } from "#lib/seed/catalog.ts";
import { runHere } from "#tests/support/command-line.ts";
import { type Desk, newDesk } from "#tests/support/desk.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";

let upstream: Desk;
let world: World;
let dataDir: string;

beforeAll(async () => {
  [upstream, world] = await Promise.all([newDesk({ timeoutMs: 500 }), newWorld()]);
  await seedCatalog(upstream.db);
  await upstream.start();
  dataDir = mkdtempSync(join(tmpdir(), "license-desk-cli-"));
}, 60_000);
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  await Promise.all([upstream.close(), world.close()]);
});

const withoutKey = (args: readonly string[]) =>
  runHere(args, { DATA_DIR: dataDir, DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER, PROVIDER_ALLOW_HTTP: "1" });

async function json(args: readonly string[]) {
  vi.stubEnv("ENCRYPTION_KEY", Buffer.alloc(32, 5).toString("base64"));
  const { code, stdout, stderr } = await withoutKey(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

test("a provider is set up, tested, imported from, disabled and enabled", async () => {
  const { apiKey, signingSecret } = await upstream.account({ signing: "required" });
  const [keyFile, secretFile] = [join(dataDir, "key"), join(dataDir, "secret")];
  writeFileSync(keyFile, `${apiKey}\n`);
  writeFileSync(secretFile, `${signingSecret}\n`);
  const access = ["--base-url", upstream.baseUrl, "--api-key-file", keyFile, "--signing-secret-file", secretFile];
  expect(await json(["provider", "create", "--name", "up", ...access])).toEqual({
    name: "up",
    base_url: upstream.baseUrl,
  });
  expect(await json(["provider", "test", "--name", "up"])).toMatchObject({
    works: true,
    balance: "1000",
    currency: "USD",
  });

  const rule = ["provider", "import", "--name", "up", "--percent", "20", "--fixed", "0.50", "--rounding", "to_99"];
  const dryRun = await json([...rule, "--dry-run"]);
  expect(dryRun).toMatchObject({ dry_run: true, skipped: [], no_longer_sold: [], cycles_no_longer_sold: [] });
  expect(dryRun.products[0]).toMatchObject({ product: "control_panel_2", is_new: true });
  expect(dryRun.products[0].cycles[0]).toEqual({
    months: 1,
    currency: "USD",
    cost: { price: 14.5, setup_fee: 0, price_per_core: null },
    list_price: { price: 17.99, setup_fee: 0, price_per_core: null },
    list_price_before: null,
  });
  expect((await json(["provider", "list"]))[1]).toMatchObject({ name: "up", products: 0 });
  await json(rule);
  expect((await json(["provider", "list"]))[1]).toEqual({
    name: "up",
    kind: "dispatch",
    base_url: upstream.baseUrl,
    signs: true,
    disabled_at: null,
    products: 5,
  });
  expect(await json(["provider", "books", "--provider", "up"])).toEqual([]);

  expect((await json(["provider", "disable", "--name", "up"])).disabled_at).toMatch(/Z$/);
  expect((await json(["provider", "enable", "--name", "up"])).disabled_at).toBeNull();
  await json(["provider", "update", "--name", "up", "--no-signing-secret"]);
  vi.stubEnv("ENCRYPTION_KEY", Buffer.alloc(32, 5).toString("base64"));
  const unsigned = await withoutKey(["provider", "test", "--name", "up"]);
  expect([unsigned.code, JSON.parse(unsigned.stdout)]).toMatchObject([1, { works: false }]);
});

test.each([
  [
    "a signing secret and none",
    ["update", "--signing-secret-file", "-", "--no-signing-secret"],
    "Give either --signing-secret-file or --no-signing-secret.",
  ],
  [
    "both credentials on standard input, of a change",
    ["update", "--api-key-file", "-", "--signing-secret-file", "-"],
    "Standard input has one secret: give a file for --api-key-file or --signing-secret-file.",
  ],
  [
    "both credentials on standard input, of a new provider",
    ["create", "--base-url", "https://up.example/api/v1/", "--api-key-file", "-", "--signing-secret-file", "-"],
    "Standard input has one secret: give a file for --api-key-file or --signing-secret-file.",
  ],
])("a provider's credentials are refused as wrong usage with %s", async (_, [verb = "", ...options], problem) => {
  const refused = await withoutKey(["provider", verb, "--name", "up", ...options]);
  expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(problem) });
});

test("a key with a signing secret shows it once; commands that need ENCRYPTION_KEY fail without it", async () => {
  const { reseller_id } = await json([
    "reseller",
    "create",
    "--name",
    "A",
    "--email",
    "a@example.com",
    "--currency",
    "USD",
  ]);
  const create = ["api-key", "create", "--reseller", String(reseller_id), "--name", "k", "--scopes", "all"];
  expect(await json(create)).not.toHaveProperty("signing_secret");
  const signed = await json([...create, "--require-signature"]);
  expect(signed.signing_secret).toMatch(/^lss_/);
  const rotated = await json(["api-key", "rotate", "--id", String(signed.api_key_id)]);
  expect(rotated.signing_secret).toMatch(/^lss_/);
  vi.unstubAllEnvs();
  const refused = await withoutKey([...create, "--signing"]);
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("ENCRYPTION_KEY") });
});
