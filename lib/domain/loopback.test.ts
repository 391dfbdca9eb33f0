import { expect, test } from "vitest";
import { isLoopback, isReachedLocally } from "./loopback.ts";

test.each(["127.0.0.1", "127.9.9.9", "localhost", "LOCALHOST", "::1", "[::1]"])("%s is this machine", (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(["0.0.0.0", "::", "192.168.1.4", "desk.example", "localhost.example", "127.0.0.1.example", ""])(
  "%j is not this machine alone",
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

test.each([
  [{ HOST: "127.0.0.1" }, true],
  [{ HOST: "127.0.0.1", NEXTAUTH_URL: "http://localhost:3000" }, true],
  [{ HOST: "127.0.0.1", NEXTAUTH_URL: "http://[::1]:3000" }, true],
  [{ HOST: "127.0.0.1", NEXTAUTH_URL: "https://desk.example" }, false],
  [{ HOST: "0.0.0.0", NEXTAUTH_URL: "http://localhost:3000" }, false],
])("%j is reached by this machine alone: %s", (env, expected) => {
  expect(isReachedLocally(env)).toBe(expected);
});
