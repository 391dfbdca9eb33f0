import { newUser } from "../support/dashboard.ts";
import { expect, test } from "../support/test.ts";

const FORM = "application/x-www-form-urlencoded";

test("of next-auth, only what the sign-in form asks for is there, and nothing that is sent makes an error of ours", async ({
  apiUrl,
}) => {
  const ask = async (operation: string, init: RequestInit = {}) =>
    (await fetch(`${apiUrl}/api/auth/${operation}`, { redirect: "manual", ...init })).status;
  const post = (type: string, body: string) => ({ method: "POST", headers: { "content-type": type }, body });
  for (const operation of ["csrf", "providers", "session", "session?callbackUrl=http://"])
    expect(`${operation} ${await ask(operation)}`).toBe(`${operation} 200`);
  for (const operation of [
    "signin",
    "signout",
    "error?error=Configuration",
    "verify-request",
    "_log",
    "callback",
    "callback/credentials",
    "oidc",
    "oidc/callback?code=a&state=b",
    "callback/oidc",
  ])
    expect(`${operation} ${await ask(operation)}`).toBe(`${operation} 404`);
  for (const operation of ["signin/credentials", "signout", "_log", "session", "callback/x"])
    expect(`${operation} ${await ask(operation, post(FORM, "a=1"))}`).toBe(`${operation} 404`);
  for (const body of ["{", "null", "[]"])
    expect(await ask("callback/credentials", post("application/json", body))).toBe(415);
  // A form of another site can send these.
  for (const type of [FORM, "text/plain", "multipart/form-data; boundary=x"])
    expect(await ask("proof", post(type, '{"given":{"method":"password","secret":"a"}}'))).toBe(415);
  for (const body of ["", "{", "null", "[]", '{"given":1,"page":{}}', '{"given":{"method":"password","secret":"a"}}'])
    expect(await ask("proof", post("application/json", body)), body).toBe(200);
  expect(await ask("proof", post("application/json", " ".repeat(20_000)))).toBe(413);
  for (const cookie of [
    "next-auth.callback-url=http%3A%2F%2F",
    "next-auth.callback-url=%zz",
    "next-auth.csrf-token=%zz",
  ])
    expect(await ask("csrf", { headers: { cookie } })).toBeLessThan(500);
  for (const body of ["", "email=a&password=b", "callbackUrl=http://", "%ff", "email=%ff&email=a"])
    expect(await ask("callback/credentials", post(FORM, body))).toBeLessThan(500);
});

test("another site can sign nobody in: credentials without the visitor's own token make no session, and the page takes none", async ({
  apiUrl,
  reseller,
}) => {
  const { email, password } = await newUser(reseller.resellerId);
  const fields = new URLSearchParams({ email, password, json: "true" });
  const sessionOf = (answer: Response) =>
    answer.headers.getSetCookie().filter((cookie) => cookie.includes("session-token"));
  const post = (path: string, cookie = "") =>
    fetch(apiUrl + path, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin: "https://evil.example" },
      body: fields,
    });
  for (const path of ["/api/auth/callback/credentials", "/sign-in", "/sign-in?next=/licenses"]) {
    expect(sessionOf(await post(path)), path).toEqual([]);
  }
  const csrf = await fetch(`${apiUrl}/api/auth/csrf`);
  const cookie = csrf.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  fields.set("csrfToken", "0".repeat(64));
  expect(sessionOf(await post("/api/auth/callback/credentials", cookie))).toEqual([]);
  // With the visitor's own token the same credentials do sign in.
  fields.set("csrfToken", ((await csrf.json()) as { csrfToken: string }).csrfToken);
  expect(sessionOf(await post("/api/auth/callback/credentials", cookie))).toHaveLength(1);
});
