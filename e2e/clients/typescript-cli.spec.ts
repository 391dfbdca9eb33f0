import { execFile, execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";

const client = join(import.meta.dirname, "..", "..", "clients", "typescript");
const source = join(client, "src", "cli.ts");
const OLD_NODE = "/usr/bin/node";

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(reseller: Reseller, args: readonly string[], command = [process.execPath, source]): Promise<Result> {
  const env = { ...process.env, LICENSE_DESK_URL: reseller.baseUrl, LICENSE_DESK_API_KEY: reseller.apiKey };
  const [program = "", ...first] = command;
  return new Promise((resolve) => {
    execFile(program, [...first, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

test("the command line registers, shows, lists, verifies and renews a license", async ({ reseller }) => {
  const { product_id, cycle_id, name } = await reseller.newProduct({ price: 1450n });
  const [ip, elsewhere] = [reseller.newAddress(), reseller.newAddress()];
  const json = async (...args: string[]) => JSON.parse((await run(reseller, [...args, "--json"])).stdout);

  const { stdout: products } = await run(reseller, ["products"]);
  expect(products).toMatch(new RegExp(`^${product_id} +${name} +${cycle_id} +Monthly +\\$14\\.50 +\\$0\\.00$`, "m"));
  const order = ["register", "--product", String(product_id), "--cycle", String(cycle_id), "--ip", ip];
  const license = await json(...order, "--notes", "Rack 4", "--idempotency-key", "order-1004");
  expect(license).toMatchObject({ price: 14.5, balance_after: 985.5 });
  expect(await json(...order, "--notes", "Rack 4", "--idempotency-key", "order-1004")).toEqual(license);

  const { license_id, license_key } = license;
  expect((await run(reseller, ["info", `lic_${license_id}`])).stdout).toMatch(/^notes +Rack 4$/m);
  expect(await json("list", "--status", "active", "--ip", ip)).toMatchObject({ license_id, notes: "Rack 4" });
  expect((await run(reseller, ["verify", license_key, "--ip", ip])).code).toBe(0);
  expect(await run(reseller, ["verify", license_key, "--ip", elsewhere])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^code +IP_MISMATCH$/m),
  });
  expect(await json("renew", String(license_id))).toMatchObject({ price: 14.5, balance_after: 971 });
  expect((await run(reseller, ["balance"])).stdout).toMatch(/^balance +971$/m);
});

test("its exit codes tell rejections from open outcomes, and the key is in no output", async ({ reseller }) => {
  const { product_id, cycle_id } = await reseller.newProduct();
  const registerOn = (ip: string) =>
    run(reseller, ["register", "--product", `${product_id}`, "--cycle", `${cycle_id}`, "--ip", ip, "--wait", "1"]);
  const results = [
    await registerOn("192.0.2.10"),
    await registerOn("192.0.2.20"),
    await run(reseller, ["info", "2147483647"]),
    await run({ ...reseller, baseUrl: "no url" }, ["balance"]),
  ];
  expect(results.map(({ code }) => code)).toEqual([1, 4, 1, 2]);
  expect(results[0]?.stderr).toMatch(/^ +code +REGISTRATION_FAILED$/m);
  expect(results[1]?.stdout).toMatch(/^operation_id +[0-9a-f-]{36}$/m);
  expect(results[2]?.stderr).toMatch(/^ +code +LICENSE_NOT_FOUND$/m);
  expect(JSON.stringify(results)).not.toContain(reseller.apiKey);
});

test("the built package and its command run in Node 20", async ({ reseller }, testInfo) => {
  const version = await run(reseller, ["--version"], [OLD_NODE]);
  test.skip(!version.stdout.startsWith("v20."), `${OLD_NODE} is not Node 20`);
  const installed = testInfo.outputPath("node_modules", "license-desk-client");
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", join(client, "tsconfig.build.json"), "--outDir", join(installed, "dist")]);
  const manifest = readFileSync(join(client, "package.json"), "utf8");
  writeFileSync(join(installed, "package.json"), manifest);
  writeFileSync(
    testInfo.outputPath("balance.mjs"),
    `import { LicenseDesk } from "license-desk-client";
    const { LICENSE_DESK_URL: baseUrl, LICENSE_DESK_API_KEY: apiKey } = process.env;
    console.log(JSON.stringify(await new LicenseDesk({ baseUrl, apiKey }).balance()));`,
  );
  const commands = [
    [OLD_NODE, join(installed, JSON.parse(manifest).bin["license-desk"]), "balance", "--json"],
    [OLD_NODE, testInfo.outputPath("balance.mjs")],
  ];
  for (const command of commands) {
    const { code, stdout } = await run(reseller, [], command);
    expect([code, JSON.parse(stdout)]).toEqual([0, { balance: 1000, currency: "USD", pending_transactions: 0 }]);
  }
});
