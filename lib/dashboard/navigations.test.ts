import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** Everything that navigates a browser. */
const NAVIGATION =
  /\b(?:redirect|permanentRedirect|router\.(?:push|replace)|location\.(?:assign|replace)|window\.open|navigate|(?:push|replace)State)\(|\blocation(?:\.href)?\s*=(?!=)|\bcallbackUrl\b|["']location["']/gi;

/** An address of ours with any suffix: `/` and a letter, or `/` alone. */
const ownAddress = /^(?:"\/(?:[a-z][^"]*)?"|`\/[a-z][^`]*`)(?:,|$)/;

/**
 * All others, as `file: argument`, with the source of the address. Add one only if no caller chooses how it starts;
 * addresses from callers go through `returnPath`.
 */
const reviewed: Readonly<Record<string, string>> = {
  "app/page.tsx: homeOf(user)": "one of three constants",
  "app/(auth)/sign-in/page.tsx: next": "returnPath",
  'app/api/auth/handle-auth.ts: "location", href);': "the configured issuer's, or a page of ours by returnPath",
  "components/auth/sign-in-form.tsx: next": "the page's, by returnPath",
  "lib/dashboard/session.ts: firstStepPaths[step]": "one of two constants",
  'lib/dashboard/session.ts: next === ROOT || next.length > MAX_NEXT_LENGTH ? "/sign-in" : `/sign-in?next=${next}`':
    "constants before the encoded wish",
  'lib/dashboard/auth-options.ts: callbackUrl: nextAuthCookie("callback-url") },': "a cookie's name and options",
  "components/api-key/rotate-dialog.tsx: rotated.href": "the action's: keyHref",
  'components/auth/link-page.tsx: null, "", window.location.pathname': "the page's own address",
  "components/bulk/use-job-start.ts: href": "the action's: a constant and a number",
  "components/form/page-form.tsx: href": "the action's: bundleHref, productHref or providerHref",
  "components/reseller/act-as.tsx: href": "constants, an address or a number",
  "components/license/license-list-bar.tsx: choice.href, { scroll: false }": "the page's own, with another order",
  'components/sandbox/switch-mode.tsx: testMode ? "/test-mode" : "/overview"': "constants",
  "components/shell/acting-banner.tsx: backHref": "the layout's: a constant and a number",
  "components/shell/command-palette.tsx: item.href": "navigation.tsx, presentFound, or toLocalPath of what is stored",
  "components/shell/shortcuts.tsx: place.href": "navigation.tsx",
  'components/ui/dialog-button.tsx: null, "", pathname': "the page's own, without its query",
  "components/webhook/create-endpoint.tsx: result.href": "the action's: endpointHref",
  "components/webhook/edit-endpoint.tsx: endpoint.href": "the page's: endpointHref",
  "components/webhook/endpoint-dialogs.tsx: href": "the action's: eventHref",
};

function argumentAt(source: string, start: number): string {
  let depth = 1;
  let at = start;
  while (depth > 0 && at < source.length) {
    if (source[at] === "(") depth++;
    if (source[at] === ")") depth--;
    at++;
  }
  return source
    .slice(start, at - 1)
    .replaceAll(/\s+/g, " ")
    .trim();
}

function listNavigations(): string[] {
  const files = globSync("{app,components,lib}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["**/*.test.ts", "lib/db/generated/**"],
  });
  return [...files, "proxy.ts"].flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8");
    return [...source.matchAll(NAVIGATION)].map(({ 0: text, index }) => {
      const called = text.endsWith("(");
      return `${file}: ${called ? argumentAt(source, index + text.length) : source.slice(index).split("\n", 1)[0]}`;
    });
  });
}

test("browsers are sent only to addresses of this site", () => {
  const navigations = listNavigations();
  expect(navigations.length).toBeGreaterThan(25);
  const argumentOf = (navigation: string) => navigation.slice(navigation.indexOf(": ") + 2);
  const others = navigations.filter((navigation) => !ownAddress.test(argumentOf(navigation)));
  expect([...new Set(others)].toSorted()).toEqual(Object.keys(reviewed).toSorted());
});
