import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { findFreePort } from "#lib/embedded/free-port.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { Panel, settlePending } from "../support/whmcs.ts";

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
  const port = await findFreePort();
  web = spawn("php", ["-S", `127.0.0.1:${port}`, "-t", panel.folder], { stdio: ["ignore", "ignore", "pipe"] });
  await once(web.stderr ?? web, "data");
  const url = `http://127.0.0.1:${port}/modules/servers/licensedesk/callback.php?server=1`;
  const created = await reseller.path.post("/webhook-endpoints", { url, events: ["operation.settled"] });
  const { id, secret } = created.body as unknown as { readonly id: string; readonly secret: string };
  panel.change("tblservers", { accesshash: secret });
  await reseller.path.post(`/webhook-endpoints/${id}/verify`, {});
  const statusOf = async () => (await reseller.path.get(`/webhook-endpoints/${id}`)).body.status;
  await expect.poll(statusOf, { timeout: 15_000 }).toBe("active");

  expect(await panel.run("CreateAccount")).toContain("CreateAccount is pending");
  await settlePending(reseller);
  await expect.poll(() => panel.status(), { timeout: 15_000 }).toBe("Active");

  const before = panel.read();
  const body = JSON.stringify({ event: "operation.settled", timestamp: "2027-02-01T12:00:00Z", data: {} });
  const headers = {
    "webhook-id": "evt_forged",
    "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
    "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
  };
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(400);
  expect((await fetch(url.replace("server=1", "server=2"), { method: "POST", headers, body })).status).toBe(400);
  expect(panel.read()).toEqual(before);
  expect(before.log.join("\n")).not.toContain(secret);
});
