import type { ChildProcess } from "node:child_process";
import { connectWebhook, sendForgedEvent, servePhp, settlePending } from "../support/panels.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { Panel } from "../support/whmcs.ts";

let web: ChildProcess | null = null;
test.afterEach(() => void web?.kill());

test("an event completes a pending service at once; a forged one changes nothing", async ({ reseller }) => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
  const { product_id } = await reseller.newProduct();
  const panel = await Panel.install(test.info().outputPath("whmcs"), reseller, {
    productId: product_id,
    address: "192.0.2.40",
  });
  const served = await servePhp("-t", panel.folder);
  web = served.process;
  const url = `${served.url}/modules/servers/licensedesk/callback.php?server=1`;
  const secret = await connectWebhook(reseller, url, (accesshash) => panel.change("tblservers", { accesshash }));

  expect(await panel.run("CreateAccount")).toContain("CreateAccount is pending");
  await settlePending(reseller);
  await expect.poll(() => panel.status()).toBe("Active");

  const before = panel.read();
  expect((await sendForgedEvent(url)).status).toBe(400);
  expect((await sendForgedEvent(url.replace("server=1", "server=2"))).status).toBe(400);
  expect(panel.read()).toEqual(before);
  expect(before.log.join("\n")).not.toContain(secret);

  panel.change("tblservers", { accesshash: "whsec_!" });
  expect((await sendForgedEvent(url)).status).toBe(400);
});
