import { FossBilling } from "../support/fossbilling.ts";
import { missingLibrary, missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";

test("templates show licenses and settings, and escape what others wrote", async ({ reseller }) => {
  const missing = (await missingPhp("pdo_sqlite")) ?? (await missingLibrary("Twig/autoload.php"));
  test.skip(missing !== null, String(missing));
  const panel = await FossBilling.install(test.info().outputPath("fossbilling"), reseller, {
    productId: 1,
    address: reseller.newAddress(),
  });
  const order = { id: 5, title: "Panel <b>" };
  const service = {
    license: { "License Key": "LIC-1", Status: "<Active>" },
    install_command: "a && b",
    ip_changes_left: 2,
  };
  const page = await panel.render("client", "manage", { order, service });
  for (const part of ["LIC-1", "&lt;Active&gt;", "a &amp;&amp; b", '"/api/servicelicensedesk/change_ip" data-fb-api']) {
    expect(page).toContain(part);
  }
  expect(await panel.render("client", "manage", { order, service: { ...service, ip_changes_left: 0 } })).not.toContain(
    "<form",
  );
  expect(await panel.render("client", "order_form", {})).toContain('name="ip_address"');
  expect(await panel.render("admin", "order", {})).toContain('name="config[ip_address]"');
  expect(await panel.render("admin", "manage", { order, service })).toContain("LIC-1");
  expect(await panel.render("admin", "manage", { order, service: { license: {} } })).toContain("has no license");
  const product = { id: 3, config: { license_desk_product: "2" } };
  const catalog = { servicelicensedesk_products: { products: { 1: "Panel", 2: "Kernel <1>" }, error: "" } };
  expect(await panel.render("admin", "config", { product }, catalog)).toContain('value="2" selected>Kernel &lt;1&gt;<');
  const settings = (problem: string) =>
    panel.render(
      "admin",
      "settings",
      {},
      {
        extension_config_get: { url: "https://licenses.example", api_key: '"', webhook_secret: "" },
        servicelicensedesk_test_connection: problem,
        servicelicensedesk_differences: ["Order #5 is active, its license is expired."],
      },
    );
  expect(await settings("")).toContain("its license is expired");
  expect(await settings("The API key lacks")).toContain("The API key lacks");
  expect(await settings("")).toContain('value="&quot;"');
  for (const event of ["activated", "renewed", "suspended", "unsuspended", "canceled"]) {
    const email = await panel.render("email", event, { order, service, c: { first_name: "Ann", last_name: "Lee" } });
    expect(email).toContain("Panel &lt;b&gt;");
    expect(email.includes("LIC-1")).toBe(event === "activated");
  }
});
