/** The dashboard in Safari's engine: what lies where, and the ways that are taken most. */
import { getRuntime } from "#lib/runtime.ts";
import { createSessionCookie } from "#tests/support/session-cookie.ts";
import { isInstalled, webKitPrograms } from "../../scripts/interpreters.ts";
import { listPages } from "../support/build.ts";
import { newUser } from "../support/dashboard.ts";
import { test as base, expect } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";
import { WebKit } from "./webkit.ts";

const missing = webKitPrograms.find((program) => !isInstalled(program));

const test = base.extend<{ readonly open: (as: Reseller | "admin") => Promise<WebKit> }>({
  open: async ({ apiUrl }, use) => {
    const opened: WebKit[] = [];
    await use(async (as) => {
      const webKit = await WebKit.start({ width: 1440, height: 900 });
      opened.push(webKit);
      const user = await newUser(as === "admin" ? null : as.resellerId);
      await webKit.goto(`${apiUrl}/sign-in`);
      await webKit.setCookie(await createSessionCookie(getRuntime().db, user));
      return webKit;
    });
    for (const webKit of opened) await webKit.stop();
  },
});
test.skip(missing !== undefined, `${missing?.name} is not installed`);

/** Controls in whose middle another thing is pressed, and rows at whose end another row's link is. */
function listCovered(): string[] {
  const covered: string[] = [];
  const at = (x: number, y: number) => document.elementFromPoint(x, y);
  for (const control of document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary")) {
    if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    // Hidden until it has the focus.
    if (control.closest("[href='#main']")) continue;
    control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const [box] = control.getClientRects();
    if (box === undefined || box.width < 3 || box.height < 3) continue;
    const hit = at(box.x + box.width / 2, box.y + box.height / 2);
    const labels = [...((control as HTMLInputElement).labels ?? [])];
    if (hit && (control.contains(hit) || labels.some((label) => label.contains(hit)))) continue;
    covered.push(`${control.outerHTML.slice(0, 120)} is under ${hit?.outerHTML.slice(0, 120)}`);
  }
  for (const row of document.querySelectorAll("tbody tr:has([data-row-link])")) {
    row.scrollIntoView({ block: "center", behavior: "instant" });
    const { right, bottom } = row.getBoundingClientRect();
    const link = at(right - 6, bottom - 4)?.closest("[data-row-link]");
    if (link && !row.contains(link)) covered.push(`${row.textContent} is under ${link.outerHTML.slice(0, 120)}`);
  }
  return covered;
}

for (const as of ["reseller", "admin"] as const) {
  test(`in Safari's engine, what ${as === "admin" ? "an admin" : "a reseller"} sees is what they press, on every page`, async ({
    apiUrl,
    open,
    reseller,
  }) => {
    test.setTimeout(300_000);
    for (let made = 0; made < 3; made += 1) await reseller.newLicense();
    const webKit = await open(as === "admin" ? as : reseller);
    for (const path of listPages()) {
      await webKit.goto(apiUrl + path);
      expect(await webKit.evaluate(listCovered), path).toEqual([]);
      expect(await webKit.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(
        0,
      );
    }
  });
}

test("in Safari's engine, a row opens its own license, and one is registered, renewed and left by signing out", async ({
  apiUrl,
  open,
  reseller,
}) => {
  test.setTimeout(180_000);
  const product = await reseller.newProduct({ price: 1800n });
  const [first] = [await reseller.newLicense(), await reseller.newLicense(), await reseller.newLicense()];
  const balanceOf = async (): Promise<number> => (await reseller.dispatch.get("balance")).body.data.balance;
  const before = await balanceOf();
  const webKit = await open(reseller);
  const isAt = (path: RegExp) => expect.poll(() => webKit.url()).toMatch(path);

  await webKit.goto(`${apiUrl}/licenses`);
  await webKit.press(`//tr[contains(., '${first.license_key}')]/td[last()]`);
  await isAt(new RegExp(`/licenses/${first.license_id}$`));

  await webKit.goto(`${apiUrl}/licenses/new`);
  // Typed and pressed at once, also before the scripts have loaded.
  await webKit.press(`//label[contains(., '${product.name}')]`);
  await webKit.type("//input[@name='ip_address']", reseller.newAddress());
  await webKit.press("//button[normalize-space() = 'Register for $18.00']");
  await isAt(/\/licenses\/\d+$/);
  await webKit.press("//main//button[normalize-space() = 'Renew']");
  await webKit.press("//dialog//button[normalize-space() = 'Renew for $18.00']");
  await expect.poll(balanceOf).toBe(before - 36);
  await expect.poll(() => webKit.evaluate(() => document.querySelector("dialog[open]") === null)).toBe(true);

  await webKit.press("//header//button[contains(@aria-label, 'account of')]");
  await webKit.press("//*[@role = 'menuitem'][normalize-space() = 'Sign out']");
  await isAt(/\/sign-in$/);
});
