import { balanceOf, licensesOf, settlePending } from "../support/panels.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { infoOf, Panel } from "../support/whmcs.ts";
import { newReseller, type Reseller } from "../support/world.ts";

test.beforeEach(async () => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
});

async function install(reseller: Reseller, address: string): Promise<Panel> {
  const { product_id } = await reseller.newProduct();
  return Panel.install(test.info().outputPath("whmcs"), reseller, { productId: product_id, address });
}

const enterKey = (panel: Panel, key: string) =>
  panel.change("tblservers", { password: Buffer.from(key).toString("base64") });

test("a service that was rehearsed in test mode can be ended with the live key, and created again", async ({
  reseller,
}) => {
  const panel = await install(reseller, reseller.newAddress());
  const { apiKey } = await reseller.newKey({ mode: "test" });
  enterKey(panel, apiKey);
  expect(await panel.run("CreateAccount")).toBe("success");
  expect(await panel.run("changeIp", { new_ip: "192.0.2.20" })).toContain("changeIp is pending");
  enterKey(panel, reseller.apiKey);
  expect(await panel.run("CreateAccount")).toContain("LICENSE_NOT_FOUND");
  expect(await panel.run("TerminateAccount")).toBe("success");
  expect(await licensesOf(reseller)).toEqual([]);
  expect(await panel.run("CreateAccount")).toBe("success");
  expect(await balanceOf(reseller)).toBe(990);
});

test("a create that was pending in test mode is done again with the live key", async ({ reseller }) => {
  const panel = await install(reseller, "192.0.2.20");
  const { apiKey } = await reseller.newKey({ mode: "test" });
  enterKey(panel, apiKey);
  expect(await panel.run("CreateAccount")).toContain("CreateAccount is pending");
  enterKey(panel, reseller.apiKey);
  panel.changeParams({ customfields: { "IP Address": reseller.newAddress() } });
  await panel.cron();
  expect(panel.status()).toBe("Active");
  expect(await licensesOf(reseller)).toHaveLength(1);
  expect(await balanceOf(reseller)).toBe(990);
});

for (const kind of ["a test", "another reseller's"] as const) {
  test(`with ${kind} key by mistake no live license counts as terminated, and nothing pending is forgotten`, async ({
    reseller,
  }) => {
    const panel = await install(reseller, "192.0.2.20");
    const keyOf = async () => (await reseller.newKey({ mode: "test" })).apiKey;
    const wrongKey = kind === "a test" ? await keyOf() : (await newReseller(reseller.baseUrl)).apiKey;
    expect(await panel.run("CreateAccount")).toContain("CreateAccount is pending");
    enterKey(panel, wrongKey);
    for (const command of ["TerminateAccount", "CreateAccount"]) {
      expect(await panel.run(command)).toMatch(
        /^The API key cannot see the service's pending CreateAccount: .* Enter the key that made it\.$/,
      );
    }
    enterKey(panel, reseller.apiKey);
    await settlePending(reseller);
    await panel.cron();
    expect(panel.status()).toBe("Active");

    enterKey(panel, wrongKey);
    expect(await panel.run("TerminateAccount")).toMatch(/^The API key cannot see the service's license lic_\d+: /);
    expect(panel.status()).toBe("Active");
    expect((await infoOf(reseller, panel)).status).toBe("active");
    enterKey(panel, reseller.apiKey);
    await panel.run("TerminateAccount");
    await settlePending(reseller);
    await panel.cron();
    expect(panel.status()).toBe("Terminated");
    expect((await licensesOf(reseller)).map(({ status }) => status)).toEqual(["terminated"]);
    expect(await balanceOf(reseller)).toBe(990);
  });
}
