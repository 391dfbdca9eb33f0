import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newRunningJob } from "../support/bulk.ts";
import { expect, test } from "../support/dashboard.ts";

const root = join(import.meta.dirname, "..", "..");
const pages = "app/(dashboard)";
const controls = ["filter-chips", "filter-input", "list-search", "time-filter"].map(
  (name) => `components/ui/${name}.tsx`,
);

/** The files of pages and components that a file is made of. */
function partsOf(file: string, found = new Set<string>()): ReadonlySet<string> {
  for (const [, name = ""] of readFileSync(join(root, file), "utf8").matchAll(/ from "((?:#|\.)[^"]+)"/g)) {
    const part = name.startsWith("#") ? name.slice(1) : join(dirname(file), name);
    if (!/^(app|components)\//.test(part) || found.has(part) || !existsSync(join(root, part))) continue;
    found.add(part);
    partsOf(part, found);
  }
  return found;
}

const lists = readdirSync(join(root, pages), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("page.tsx"))
  .filter((file) => controls.some((control) => partsOf(`${pages}/${file}`).has(control)))
  .map((file) => `/${dirname(file)}`);

const search = "?q=nothing-is-called-this";
/** Of the reseller and of the admin, what leaves each list empty; null: other tests' rows are in it, another list is alike. */
const own: Readonly<Record<string, string>> = {
  "/api-keys": "?state=ended",
  "/api-keys/[id]": "?request=none",
  "/audit": "?actor=nobody-is-called-this",
  "/developers/requests": "?request=none",
  "/diagnostics": search,
  "/jobs/[id]": "?show=failed",
  "/licenses": search,
  "/licenses/[id]/verifications": "?code=EXPIRED",
  "/settings/team": search,
  "/wallet": "?about=lic_2147483647",
  "/wallet/top-ups": "?state=declined",
  "/webhooks/log": "?license=lic_2147483647",
};
const admins: Readonly<Record<string, string | null>> = {
  "/catalog": search,
  "/catalog/bundles": search,
  "/outbox": search,
  "/reconciliation": "?provider=nobody",
  "/resellers": search,
  "/resellers/[id]/api-keys": "?state=ended",
  "/resellers/[id]/api-keys/[keyId]": "?request=none",
  "/resellers/[id]/licenses": search,
  "/resellers/[id]/prices": search,
  "/resellers/[id]/wallet": "?about=lic_2147483647",
  "/top-ups": null,
  "/users": search,
};

test("every list that a search or filter leaves empty offers to clear it, by its name", async ({
  page,
  login,
  reseller,
}) => {
  test.slow();
  expect(lists.toSorted()).toEqual([...Object.keys(own), ...Object.keys(admins)].toSorted());
  const { license_id } = await reseller.newLicense();
  const user = await login(reseller);
  const jobId = await newRunningJob(reseller, user, { done: [license_id], waiting: [] });
  const ids: Readonly<Record<string, number>> = {
    "/api-keys/[id]": reseller.apiKeyId,
    "/jobs/[id]": jobId,
    "/licenses/[id]/verifications": license_id,
  };

  async function expectWayOut(list: string, query: string, id: number) {
    await page.goto(list.replace("[id]", String(id)).replace("[keyId]", String(reseller.apiKeyId)) + query);
    const label = query === search ? "Clear search" : "Clear filters";
    await page.getByRole("main").getByRole("link", { name: label, exact: true }).click();
    await expect(page, list).toHaveURL((url) => !url.search.includes(query.slice(1)));
  }

  for (const [list, query] of Object.entries(own)) await expectWayOut(list, query, ids[list] ?? 0);
  await login("admin");
  for (const [list, query] of Object.entries(admins)) {
    if (query !== null) await expectWayOut(list, query, reseller.resellerId);
  }
});

test("what only a filter leaves empty does not speak of a search", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/diagnostics?problem=silent");
  await expect(page.getByRole("main")).toContainText("Remove a filter to see more.");
  await page.goto(`/diagnostics${search}`);
  await expect(page.getByRole("main")).toContainText("The search looks at any part of a host name or address.");
});
