import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");
const text = readFileSync(join(root, "docs", "first-call.md"), "utf8");

/** The example of a language, as printed, with the reseller's own product and address. */
async function readExample(language: "sh" | "ts" | "php", reseller: Reseller): Promise<string> {
  const { product_id, cycle_id } = await reseller.newProduct();
  const examples = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))];
  const [, code = ""] = examples.at(-1) ?? [];
  expect(code).toContain("203.0.113.7");
  return code
    .replaceAll(/product_id(=|: |' => )1/g, `product_id$1${product_id}`)
    .replaceAll(/cycle_id(=|: |' => )1/g, `cycle_id$1${cycle_id}`)
    .replaceAll("203.0.113.7", reseller.newAddress());
}

/** With a test key, as the page advises. */
type Tester = Pick<Reseller, "baseUrl" | "apiKey" | "dispatch">;

async function newTester(reseller: Reseller): Promise<Tester> {
  const tester = await reseller.inTestMode();
  await tester.dispatch.get("me");
  return tester;
}

function environment({ baseUrl, apiKey }: Tester): NodeJS.ProcessEnv {
  return {
    ...process.env,
    FORCE_COLOR: "0",
    LICENSE_DESK_URL: baseUrl,
    LICENSE_DESK_API_KEY: apiKey,
  };
}

async function expectOneLicense(tester: Tester, output: string): Promise<void> {
  expect(output.replaceAll(/\s|"|'/g, "")).toMatch(/valid(?::true|\]=>1)/);
  const { licenses } = (await tester.dispatch.get("license.list")).body.data;
  expect(licenses).toMatchObject([{ external_id: "order-1004", status: "active" }]);
}

test("the first call by curl, as printed, ends with a verified license; run twice, it is charged once", async ({
  reseller,
}) => {
  const code = await readExample("sh", reseller);
  const tester = await newTester(reseller);
  for (let time = 0; time < 2; time++) {
    const { stdout } = await run("bash", ["-euc", code], { env: environment(tester) });
    await expectOneLicense(tester, stdout);
  }
  expect((await tester.dispatch.get("balance")).body.data.balance).toBe(9990);
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(1000);
});

test("the first call by the TypeScript client, as printed, ends with a verified license", async ({ reseller }) => {
  const folder = test.info().outputPath("app");
  mkdirSync(folder, { recursive: true });
  const script = join(folder, "first-call.ts");
  const code = (await readExample("ts", reseller)).replace(
    '"license-desk-client"',
    JSON.stringify(join(root, "clients", "typescript", "src", "index.ts")),
  );
  writeFileSync(script, code);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const tester = await newTester(reseller);
  const { stdout } = await run(process.execPath, [script], { env: environment(tester) });
  await expectOneLicense(tester, stdout);
});

test("the first call by the PHP client, as printed, ends with a verified license", async ({ reseller }) => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
  const folder = test.info().outputPath("app");
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, "clients", "php"), join(folder, "clients", "php"), { recursive: true });
  const script = join(folder, "first-call.php");
  writeFileSync(script, `<?php\n${await readExample("php", reseller)}`);
  const tester = await newTester(reseller);
  const { stdout } = await run("php", [script], { cwd: folder, env: environment(tester) });
  await expectOneLicense(tester, stdout);
});
