import { isApiTarget } from "#lib/http/reject-request.ts";
import { listPages, listRoutes } from "../support/build.ts";
import { newSession } from "../support/session.ts";
import { expect, test } from "../support/test.ts";

/** Nothing, or nothing that can be asked for. */
const errors = [
  "/no/such/page",
  "/nothing.php",
  "/_next/static/nothing.js",
  "/_next/image?url=x&w=1&q=1",
  "/_next/image?url=%2F%25zz&w=640&q=75",
  "/%zz",
  "/%00",
  "/%ff",
  "/api/nothing",
  "/api/auth",
  ...[
    "callback/x",
    "signin",
    "signin/credentials?callbackUrl=http://",
    "signout",
    "error?error=Configuration",
    "_log",
  ].map((operation) => `/api/auth/${operation}`),
  "/api/auth/session?callbackUrl=http://",
];

/** What an inline script begins with; scripts of other types hold data. */
const script = /<script\b([^>]*)>/g;

function expectSecurityHeaders(headers: Headers, where: string): void {
  expect(Object.fromEntries(headers), where).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
  });
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy, where).toContain("frame-ancestors 'none'");
  expect(
    policy
      .split("; ")
      .filter((directive) => /^(default|script)-src/.test(directive))
      .join(),
    where,
  ).not.toMatch(/unsafe|\*|https?:|data:/);
}

/** A page runs its own scripts alone. Returns the nonce that these have, and how many they are. */
function expectOwnScripts(headers: Headers, html: string, where: string): { nonce: string; scripts: number } {
  expect(headers.get("content-type"), where).toBe("text/html; charset=utf-8");
  const policy = headers.get("content-security-policy") ?? "";
  const nonce = /script-src [^;]*'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
  expect(nonce, where).toMatch(/^[\w+/]{22}==$/);
  const scripts = Array.from(html.matchAll(script), ([, attributes]) => String(attributes));
  // One expectation of all: Playwright records each as a step.
  expect(
    scripts.filter((attributes) => !attributes.includes(`nonce="${nonce}"`)),
    where,
  ).toEqual([]);
  expect(html, where).not.toMatch(/\son[a-z]+=["']|javascript:|<style\b(?![^>]*nonce)/i);
  return { nonce, scripts: scripts.length };
}

test("every response of every route and page has the security headers, errors and downloads included, and every page runs scripts with its own nonce alone", async ({
  apiUrl,
  reseller,
}) => {
  test.setTimeout(180_000);
  const visitors = ["", await newSession(reseller.resellerId), await newSession(null)];
  const addresses = [...listPages(), ...listRoutes(), "/api/auth/csrf", ...errors];
  expect(addresses.length).toBeGreaterThan(80);
  const withScripts = new Set([...listPages(), "/no/such/page", "/nothing.php"]);
  const nonces = new Set<string>();
  let count = 0;
  for (const cookie of visitors) {
    for (const address of addresses) {
      for (const method of cookie === "" ? ["GET", "HEAD", "POST", "OPTIONS"] : ["GET"]) {
        const answer = await fetch(apiUrl + address, { method, redirect: "manual", headers: { cookie } });
        const where = `${method} ${address} → ${answer.status}`;
        expect(answer.status, where).toBeLessThan(500);
        expect(answer.headers.get("x-content-type-options"), where).toBe("nosniff");
        expect(answer.headers.get("access-control-allow-origin"), where).toBeNull();
        if (cookie !== "" && answer.ok && !answer.headers.get("content-type")?.startsWith("image/")) {
          expect(answer.headers.get("cache-control"), where).toMatch(/no-store|no-cache/);
        }
        if (!isApiTarget(address)) expectSecurityHeaders(answer.headers, where);
        const text = await answer.text();
        const isPage = method === "GET" && withScripts.has(address);
        if (!isPage || !answer.headers.get("content-type")?.startsWith("text/html")) continue;
        if (cookie !== "") expect(answer.headers.get("cache-control"), where).toContain("no-store");
        const { nonce, scripts } = expectOwnScripts(answer.headers, text, where);
        expect(nonces, where).not.toContain(nonce);
        nonces.add(nonce);
        count += scripts;
      }
    }
  }
  expect(count, "scripts").toBeGreaterThan(500);
});

test("every file that pages load has the security headers", async ({ apiUrl, reseller }) => {
  const files = new Set<string>(["/favicon.ico", "/agent.sh", "/install.sh"]);
  for (const cookie of ["", await newSession(reseller.resellerId)]) {
    for (const page of cookie === "" ? ["/sign-in"] : ["/overview", "/licenses", "/webhooks/new"]) {
      const answer = await fetch(apiUrl + page, { headers: { cookie } });
      const text = `${answer.headers.get("link")} ${await answer.text()}`;
      for (const [file] of text.matchAll(/\/_next\/static\/[\w./~-]+\.\w+/g)) files.add(file);
    }
  }
  const kinds = new Set<string>();
  for (const file of files) {
    const answer = await fetch(apiUrl + file);
    await answer.arrayBuffer();
    if (file.startsWith("/_next/")) expect(answer.status, file).toBe(200);
    expectSecurityHeaders(answer.headers, file);
    kinds.add(String(answer.headers.get("content-type")).split(";")[0] ?? "");
  }
  expect([...kinds]).toEqual(expect.arrayContaining(["text/css", "font/woff2", "application/javascript"]));
});

for (const path of ["/agent.sh", "/install.sh"]) {
  test(`${path} is not cached`, async ({ apiUrl }) => {
    const answer = await fetch(`${apiUrl}${path}`);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    expect(await answer.text()).toMatch(/^#!\/bin\/sh\n/);
  });
}
