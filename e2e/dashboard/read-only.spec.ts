import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listPages } from "../support/build.ts";
import { expect, newUser, onDesktop, signInAs, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";

test.describe.configure({ mode: "serial", timeout: 120_000 });

const logFile = join(tmpdir(), `read-only-${process.pid}.log`);
let server: OwnServer;

test.beforeAll(async () => {
  server = await startOwnServer("server", { LOG_LEVEL: "warn" }, { logFile });
});

test.afterAll(() => server.stop());
test.afterEach(() => server.setDatabaseReadOnly(false));

test("while the database is read-only pages can be read, and an action says why nothing changes", async ({
  page,
  context,
  newReseller,
}) => {
  await signInAs(context, await newUser((await newReseller()).resellerId), server.url);
  await server.setDatabaseReadOnly(true);
  await page.goto(`${server.url}/settings`);
  await page.getByLabel("Name", { exact: true }).fill("Another Name");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("the service is read-only. Try again in a minute.")).toBeVisible();
  await inspect(page, "read-only");
});

for (const role of ["reseller", "admin"] as const) {
  test(`while the database is read-only no page fails for a ${role}`, onDesktop, async ({ context, newReseller }) => {
    const { resellerId } = await newReseller();
    await signInAs(context, await newUser(role === "admin" ? null : resellerId), server.url);
    await server.setDatabaseReadOnly(true);
    const failed: string[] = [];
    for (const address of listPages()) {
      const status = (await context.request.get(server.url + address)).status();
      if (status >= 500) failed.push(`${address} ${status}`);
    }
    expect(failed, failed.length > 0 ? readFileSync(logFile, "utf8") : undefined).toEqual([]);
  });
}

test("while the database is read-only nobody signs in, and the form says why", async ({
  page,
  newReseller,
  tolerate,
}) => {
  tolerate(/status of 401/);
  const { email, password } = await newUser((await newReseller()).resellerId);
  await server.setDatabaseReadOnly(true);
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "read-only" })).toBeVisible();
});
