import { expect, test } from "vitest";
import { allowsDemo } from "./demo.ts";

test.each(["127.0.0.1", "127.8.0.9", "localhost", "LOCALHOST", "::1", "[::1]", "::ffff:127.0.0.1"])(
  "a server that only listens on %s can have a demonstration",
  (HOST) => {
    expect(allowsDemo({ HOST, DEMO: "on" })).toBe(true);
    expect(allowsDemo({ HOST, DEMO: "off" })).toBe(false);
  },
);

test.each([
  "0.0.0.0",
  "::",
  "192.168.1.4",
  "2001:db8::1",
  "desk.example.com",
  "localhost.example.com",
  "127.0.0.1.example.com",
])("a server that is reachable at %s has none", (HOST) => {
  expect(allowsDemo({ HOST, DEMO: "on" })).toBe(false);
});
