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
  expect(headers.get("x-content-type-options"), where).toBe("nosniff");
  expect(headers.get("x-frame-options"), where).toBe("DENY");
  expect(headers.get("referrer-policy"), where).toBe("strict-origin-when-cross-origin");
  expect(headers.get("cross-origin-opener-policy"), where).toBe("same-origin");
  expect(headers.get("permissions-policy"), where).toContain("camera=()");
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

test("every response of every route and page has the security headers, errors and downloads included", async ({
  apiUrl,
  reseller,
}) => {
  test.setTimeout(180_000);
  const visitors = ["", await newSession(reseller.resellerId), await newSession(null)];
  const addresses = [...listPages(), ...listRoutes(), "/api/auth/csrf", ...errors];
  expect(addresses.length).toBeGreaterThan(80);
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
        await answer.arrayBuffer();
      }
    }
  }
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

test("every page runs scripts with its own nonce alone", async ({ apiUrl, reseller }) => {
  test.setTimeout(120_000);
  const nonces = new Set<string>();
  let scripts = 0;
  for (const cookie of ["", await newSession(reseller.resellerId), await newSession(null)]) {
    for (const page of [...listPages(), "/no/such/page", "/nothing.php"]) {
      const answer = await fetch(apiUrl + page, { redirect: "manual", headers: { cookie } });
      const html = await answer.text();
      if (!answer.headers.get("content-type")?.startsWith("text/html")) continue;
      const where = `${page} → ${answer.status}`;
      expect(answer.headers.get("content-type"), where).toBe("text/html; charset=utf-8");
      if (cookie !== "") expect(answer.headers.get("cache-control"), where).toContain("no-store");
      const nonce = /script-src [^;]*'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1];
      expect(nonce, where).toMatch(/^[\w+/]{22}==$/);
      expect(nonces, where).not.toContain(nonce);
      nonces.add(String(nonce));
      for (const [, attributes] of html.matchAll(script)) {
        expect(attributes, where).toContain(`nonce="${nonce}"`);
        scripts += 1;
      }
      expect(html, where).not.toMatch(/\son[a-z]+=["']|javascript:|<style\b(?![^>]*nonce)/i);
    }
  }
  expect(scripts).toBeGreaterThan(500);
});

for (const path of ["/agent.sh", "/install.sh"]) {
  test(`${path} is not cached`, async ({ apiUrl }) => {
    const answer = await fetch(`${apiUrl}${path}`);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    expect(await answer.text()).toMatch(/^#!\/bin\/sh\n/);
  });
}
