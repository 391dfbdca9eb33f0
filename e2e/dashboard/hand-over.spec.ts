import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type Reseller, setLicense } from "../support/world.ts";

const makeLine = { name: "Create key and copy command" };
const server = (page: Page) => page.getByRole("region", { name: "Server", exact: true });
const lineOn = async (page: Page) => String(await server(page).locator("code").first().textContent());

/** A license of this machine. */
async function newLicenseHere(reseller: Reseller) {
  const license = await reseller.newLicense();
  await setLicense(license.license_id, { movedTo: "127.0.0.1" });
  return license;
}

/** Runs a line as a server's root would, below a folder of its own. */
async function runAsServer(line: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "license-desk-server-"));
  for (const folder of ["etc/cron.d", "usr/sbin"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "usr/sbin/cron"), "", { mode: 0o755 });
  const env = { ...process.env, DESTDIR: root, LICENSE_DESK_HOSTNAME: "web1.northwind.internal" };
  const { stdout } = await promisify(execFile)("sh", ["-c", line], { env });
  return stdout;
}

for (const width of [1440, 390]) {
  test(`a license is registered and its install command handed over in 5 interactions at ${width} px`, async ({
    page,
    context,
    login,
    reseller,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.setViewportSize({ width, height: 900 });
    const product = await reseller.newProduct();
    await login(reseller);
    await page.goto("/licenses");
    let interactions = 0;
    const count = <Done>(done: Promise<Done>) => {
      interactions += 1;
      return done;
    };
    await count(
      page
        .getByRole("link", { name: /^Register/ })
        .first()
        .click(),
    );
    await count(page.getByRole("radio", { name: product.name }).check());
    await count(page.getByLabel("Address").fill(reseller.newAddress()));
    await count(page.getByRole("button", { name: /^Register for/ }).click());
    await count(page.getByRole("button", makeLine).click());
    await expect(page.getByText("Install command copied")).toBeVisible();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    expect(line).toMatch(/^curl -fsS http\S+\/install\.sh \| sh -s -- LIC-[\w-]+ lk_live_\w+$/);
    const mail = decodeURIComponent(
      String(await page.getByRole("link", { name: "Email the customer" }).getAttribute("href")),
    );
    expect(mail).toContain(line);
    expect(interactions).toBeLessThanOrEqual(6);
    await page.reload();
    await expect(page.getByRole("button", makeLine)).toBeVisible();
    expect(await page.content(), "it is shown once").not.toContain(line.slice(-12));
  });
}

test("the line works as it is pasted, and the page turns green without being loaded again", async ({
  page,
  login,
  reseller,
}) => {
  const { license_id } = await newLicenseHere(reseller);
  await login(reseller);
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", makeLine).click();
  await expect(server(page)).toContainText("Waiting for its first report");
  await page.evaluate(() => Object.assign(window, { notLoadedAgain: true }));
  const said = await runAsServer(await lineOn(page));
  expect(said).toContain("valid until");
  expect(said).toContain("reported web1.northwind.internal");
  await expect(server(page)).toContainText("web1.northwind.internal");
  expect(await page.evaluate(() => "notLoadedAgain" in window)).toBe(true);
});

test("another press makes another key, and offers to revoke the first, which then verifies nothing", async ({
  page,
  login,
  reseller,
}) => {
  const { license_id } = await newLicenseHere(reseller);
  await login(reseller);
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", makeLine).click();
  const first = await lineOn(page);
  await page.getByRole("button", { name: "Create another key" }).click();
  await expect.poll(() => lineOn(page)).not.toBe(first);
  await page.getByText("Message for the customer").click();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await inspect(page, "hand-over");
  }
  await page.getByRole("button", { name: "Revoke earlier key" }).click();
  await expect(page.getByText("Earlier keys revoked")).toBeVisible();
  await expect(page.getByText("An earlier key still works")).toHaveCount(0);
  await expect(runAsServer(first)).rejects.toMatchObject({ code: 3 });
  const second = await lineOn(page);
  await page.getByRole("button", { name: "Create another key" }).click();
  await expect.poll(() => lineOn(page)).not.toBe(second);
  const third = await lineOn(page);
  await page.goto("/licenses");
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: "Revoke earlier key" }).click();
  await expect(page.getByText("An earlier key still works")).toHaveCount(0);
  await expect(runAsServer(second)).rejects.toMatchObject({ code: 3 });
  expect(await runAsServer(third)).toContain("valid until");
});
