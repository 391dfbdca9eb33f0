import { readdirSync } from "node:fs";
import { dirname, sep } from "node:path";
import { expect, test } from "vitest";
import { matchesPalette } from "#components/shell/palette.ts";
import { adminPermissions, resellerPermissions } from "#lib/domain/roles.ts";
import { navigationFor } from "./navigation.tsx";
import { paletteFor } from "./palette.tsx";

const ADMIN = /^\/(audit|catalog|outbox|providers|reconciliation|resellers|system|top-ups|users)(\/|$)/;
/** Everybody's, on both palettes. */
const SHARED = ["/notifications", "/settings"];

/** The addresses of all pages that name nothing in particular. */
const pages = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(`${sep}page.tsx`) && !file.includes("["))
  .map((file) => `/${dirname(file).split(sep).join("/")}`);

const everything = [...resellerPermissions, ...adminPermissions];

const pathnamesOf = (items: readonly { readonly href: string }[]) =>
  items.map(({ href }) => new URL(href, "https://desk.example").pathname);

test.each(["reseller", "admin"] as const)("the palette of a %s finds every page that names nothing", (role) => {
  const offered = paletteFor(role, everything, false).flatMap(({ items }) => pathnamesOf(items));
  const wanted = pages.filter((path) => ADMIN.test(path) === (role === "admin") || SHARED.includes(path));
  expect(wanted.length).toBeGreaterThan(10);
  expect(wanted.filter((path) => !offered.includes(path))).toEqual([]);
});

test.each(["reseller", "admin"] as const)("the palette of a %s leads to pages that exist", (role) => {
  const offered = paletteFor(role, everything, false).flatMap(({ items }) => pathnamesOf(items));
  expect(offered.filter((path) => !pages.includes(path))).toEqual([]);
});

test("who acts as a reseller is not offered settings, which are its people's own", () => {
  const offered = paletteFor("reseller", everything, true).flatMap(({ items }) => pathnamesOf(items));
  expect(offered.filter((path) => SHARED.includes(path))).toEqual([]);
  expect(offered).toContain("/licenses/new");
});

test("no two places of the navigation share a shortcut", () => {
  for (const role of ["reseller", "admin"] as const) {
    const keys = navigationFor(role, everything, { openCases: 0, openTopUps: 0 }).flatMap(
      ({ shortcutKey }) => shortcutKey ?? [],
    );
    expect(new Set(keys).size).toBe(keys.length);
  }
});

test.each([
  ["reseller", "2fa", "/settings"],
  ["reseller", "two-factor", "/settings"],
  ["reseller", "password", "/settings"],
  ["reseller", "invoice", "/wallet/statement"],
  ["reseller", "move server", "/relocations"],
  ["reseller", "change ip", "/relocations"],
  ["reseller", "top up", "/wallet?top-up=100"],
  ["reseller", "add money", "/wallet?top-up=100"],
  ["reseller", "buy license", "/licenses/new"],
  ["reseller", "slack", "/webhooks/new"],
  ["reseller", "sandbox", "/test-mode"],
  ["admin", "customers", "/resellers"],
  ["admin", "bank", "/top-ups/settings"],
] as const)("a %s who types %j is offered %s", (kind, typed, href) => {
  const items = paletteFor(kind, everything, false).flatMap((group) => group.items);
  expect(items.filter((item) => matchesPalette(item, typed)).map((item) => item.href)).toContain(href);
});
