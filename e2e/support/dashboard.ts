import { randomBytes, randomUUID } from "node:crypto";
import type { BrowserContext, Locator, Page, Request, Response, Route } from "@playwright/test";
import { PAGE_OUTDATED } from "#lib/domain/action-result.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { Role } from "#lib/domain/roles.ts";
import { getRuntime } from "#lib/runtime.ts";
import { hashPassword } from "#lib/services/user/password.ts";
import { createSessionCookie } from "#tests/support/session-cookie.ts";
import { keepAwake } from "./awake.ts";
import { test as base, expect } from "./test.ts";
import type { Reseller } from "./world.ts";

export interface TestUser {
  readonly userId: UserId;
  readonly email: string;
  readonly password: string;
}

/** Of all of a worker's users: hashing a password for each takes longer than all else that makes one. */
const password = randomUUID();
let passwordHash: Promise<string> | undefined;

/** A reseller's user, or an admin for null. */
export async function newUser(
  resellerId: ResellerId | null,
  name = "Robin Example",
  role: Role = "owner",
): Promise<TestUser> {
  const email = `${randomBytes(8).toString("hex")}@user.example`;
  passwordHash ??= hashPassword(password);
  const { id } = await getRuntime().db.prisma.user.create({
    data: {
      email,
      name,
      passwordHash: await passwordHash,
      role,
      resellerId,
    },
    select: { id: true },
  });
  return { userId: id as UserId, email, password };
}

/** Seeds a session row and gives the browser its cookie: signed in without the form. */
export async function signInAs(context: BrowserContext, user: TestUser, url: string): Promise<void> {
  const cookie = await createSessionCookie(getRuntime().db, user);
  await context.addCookies([{ ...cookie, url, httpOnly: true, sameSite: "Lax" }]);
}

/**
 * A test that the phone's run leaves out: of what only wide screens or keyboards have, or of what the server answers on
 * a page or form that other tests go through on a phone.
 */
export const onDesktop = { tag: "@desktop" };

/** Presses one of the ways that lead on from a page's header: on phones they are in its menu. */
export async function followHeaderLink(page: Page, name: string): Promise<void> {
  const header = page.getByRole("main").locator("header");
  const link = header.getByRole("link", { name });
  const menu = header.getByRole("button", { name: "More", exact: true });
  await expect(link.or(menu)).toBeVisible();
  if (await link.isVisible()) return link.click();
  await menu.click();
  await page.getByRole("menuitem", { name }).click();
}

/** In the answer of an action to a form of another version: it has fields that the action's strict schema lacks. */
const REFUSED_FIELDS = `"code":"${PAGE_OUTDATED.error.code}"`;

interface Fixtures {
  /** Signs the browser in: as this reseller's user, or as an admin for "admin". */
  readonly login: (as: Reseller | "admin") => Promise<TestUser>;
  /** Complaints of the browser's console or of actions that a test brings about on purpose. */
  readonly tolerate: (pattern: RegExp) => void;
  /** Goes to an address that has nothing for this reader: the page says so to people, and its status to programs. */
  readonly expectNothingAt: (path: string) => Promise<void>;
}

export const test = base.extend<Fixtures & { readonly tolerated: RegExp[] }, { readonly awake: undefined }>({
  awake: [
    async ({ browser }, use) => {
      const stop = keepAwake(browser);
      await use(undefined);
      stop();
    },
    { scope: "worker", auto: true },
  ],
  baseURL: async ({ apiUrl }, use) => use(apiUrl),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its first parameter.
  tolerated: async ({}, use) => use([]),
  tolerate: async ({ tolerated }, use) => use((pattern) => void tolerated.push(pattern)),
  page: async ({ page, tolerated }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(`${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    const readings: Promise<void>[] = [];
    const readAnswer = async (request: Request): Promise<void> => {
      // A page that was left has no bodies any more.
      const answer = request.response().then((response) => response?.text());
      const text = await answer.catch(() => "");
      if (text?.includes(REFUSED_FIELDS)) complaints.push(`fields that an action does not know: ${request.postData()}`);
    };
    page.context().on("requestfinished", (request) => {
      if (request.method() === "POST") readings.push(readAnswer(request));
    });
    for (const method of ["goto", "reload"] as const) {
      const load = page[method].bind(page) as (...args: unknown[]) => Promise<Response | null>;
      page[method] = async (...args: unknown[]) => {
        const response = await load(...args);
        await untilHydrated(page);
        return response;
      };
    }
    await use(page);
    await Promise.all(readings);
    const unexpected = complaints.filter((complaint) => !tolerated.some((pattern) => pattern.test(complaint)));
    expect(unexpected, "the browser's console has no unexpected errors, and actions know their forms' fields").toEqual(
      [],
    );
  },
  expectNothingAt: async ({ page, tolerate }, use) =>
    use(async (path) => {
      tolerate(/status of 404/);
      const response = await page.goto(path);
      expect(response?.status(), path).toBe(404);
      await expect(page.getByText("Page not found"), path).toBeVisible();
    }),
  login: async ({ context, apiUrl }, use) =>
    use(async (as) => {
      const user = await newUser(as === "admin" ? null : as.resellerId);
      await signInAs(context, user, apiUrl);
      return user;
    }),
});

/**
 * Waits until React has taken over everything on the page: a key pressed before that reaches nobody, and a form is sent
 * by the browser alone. `goto` and `reload` wait by themselves; for pages that the dashboard loads, as after signing in.
 * React marks the elements that it has hydrated with a property of its own.
 */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.waitForFunction(async () => {
    const hydrated = () =>
      [...document.body.querySelectorAll("a, button, input, select, textarea")].every((control) =>
        Object.keys(control).some((key) => key.startsWith("__reactProps$")),
      );
    if (!hydrated()) return false;
    // Listeners are added by effects, which run after the elements are marked.
    await new Promise((resolve) => requestIdleCallback(resolve));
    return hydrated();
  });
}

/** Presses j until the list listens: then the first row, by its link or by what is given, has the focus. */
export async function focusFirstRow(
  page: Page,
  first: Locator = page.locator("[data-row-link]").first(),
): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(first).toBeFocused({ timeout: 1_000 });
  }).toPass();
}

/** Opens a page of the other kind of user, which says so. The test tolerates the 403. */
export async function expectRefusal(page: Page, path: string, owner: "administrators" | "resellers"): Promise<void> {
  const answer = await page.goto(path);
  expect(answer?.status(), path).toBe(403);
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expect(page.getByText(`This page belongs to ${owner}`)).toBeVisible();
}

/** The balance that the shell shows. */
export function shownBalance(page: Page) {
  return page.getByRole("banner").getByRole("link", { name: /Wallet balance/ });
}

/** Carries out what is sent, and loses each answer until the browser gives up; it does not wait before it tries again. */
export async function loseAnswers(page: Page, press: () => Promise<void>): Promise<void> {
  const lose = async (route: Route) => {
    if (route.request().method() !== "POST") return route.fallback();
    await route.fetch();
    await route.abort();
  };
  await page.route("**", lose);
  await press();
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(page.getByText("The answer did not arrive")).toBeVisible({ timeout: 100 });
  }).toPass();
  await page.unroute("**", lose);
}

export { expect };

/** For as long as nothing has come of it, as while a database that is back has no connections yet. */
export async function pressUntil(button: Locator, outcome: Locator): Promise<void> {
  await expect(async () => {
    // It is gone once a press has worked, also one whose page came late.
    await button.click({ timeout: 1_000 }).catch(() => undefined);
    await expect(outcome).toBeVisible({ timeout: 5_000 });
  }).toPass();
}
