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
  ])
    expect(`${operation} ${await ask(operation)}`).toBe(`${operation} 404`);
  for (const operation of ["signin/credentials", "signout", "_log", "session", "callback/x"])
    expect(`${operation} ${await ask(operation, post(FORM, "a=1"))}`).toBe(`${operation} 404`);
  for (const body of ["{", "null", "[]"])
    expect(await ask("callback/credentials", post("application/json", body))).toBe(415);
  for (const cookie of [
    "next-auth.callback-url=http%3A%2F%2F",
    "next-auth.callback-url=%zz",
    "next-auth.csrf-token=%zz",
  ])
    expect(await ask("csrf", { headers: { cookie } })).toBeLessThan(500);
  for (const body of ["", "email=a&password=b", "callbackUrl=http://", "%ff", "email=%ff&email=a"])
    expect(await ask("callback/credentials", post(FORM, body))).toBeLessThan(500);
});
