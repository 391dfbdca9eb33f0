import { afterEach, expect, test, vi } from "vitest";
import { authCookie } from "./auth-cookie.ts";

const names = ["known-device", "pending-sign-in", "session-token", "callback-url", "issuer-request"] as const;
afterEach(() => vi.unstubAllEnvs());

test.each(names)(
  "over https, %s belongs to this host alone and is never read by scripts or sent in the clear",
  (name) => {
    vi.stubEnv("NEXTAUTH_URL", "https://desk.example.com");
    expect(authCookie(name)).toEqual({
      name: `__Host-license-desk.${name}`,
      secure: true,
      path: "/",
      httpOnly: true,
      sameSite: "lax",
    });
  },
);

test.each(names)("over http, browsers accept %s", (name) => {
  vi.stubEnv("NEXTAUTH_URL", "http://127.0.0.1:3000");
  expect(authCookie(name)).toMatchObject({ name: `license-desk.${name}`, secure: false, httpOnly: true });
});

test("next-auth uses these cookies", async () => {
  vi.stubEnv("NEXTAUTH_URL", "https://desk.example.com");
  vi.resetModules();
  const { authOptions } = await import("./auth-options.ts");
  expect(authOptions.cookies?.sessionToken?.name).toBe("__Host-license-desk.session-token");
  expect(authOptions.cookies?.callbackUrl?.name).toBe("__Host-license-desk.callback-url");
});
