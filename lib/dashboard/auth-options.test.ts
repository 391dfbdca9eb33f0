import NextAuth from "next-auth";
import { expect, test, vi } from "vitest";
import { authCookie } from "./auth-cookie.ts";
import { authOptions } from "./auth-options.ts";

test("an unreadable session cookie counts as no session and logs nothing", async () => {
  const written = vi.spyOn(console, "error").mockImplementation(() => {});
  const answer = { status: vi.fn(() => answer), setHeader: vi.fn(), getHeader: vi.fn(), send: vi.fn() };
  const cookies = { [authCookie("session-token").name]: "not a session" };
  const request = { method: "GET", headers: {}, cookies, query: { nextauth: ["session"] } };
  await NextAuth({ ...authOptions, secret: "the secret of a test, which is long" })(request, answer);
  expect(answer.send).toHaveBeenCalledWith({});
  expect(written).not.toHaveBeenCalled();
});
