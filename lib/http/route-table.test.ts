import { expect, test } from "vitest";
import { findPathTarget } from "./path-api/interface.ts";

test.each([
  ["/webhook-endpoints", {}],
  ["/webhook-endpoints/whe_12", { id: "whe_12" }],
  ["/webhook-endpoints/whe_12/rotate-secret", { id: "whe_12" }],
  ["/webhook-endpoints/whe_12/verify", { id: "whe_12" }],
  ["/events/evt_1/resend", { id: "evt_1" }],
  ["/events/%2e%2e", { id: "%2e%2e" }],
])("%s is a route", (path, pathParameters) => {
  expect(findPathTarget(path)).toMatchObject({ pathParameters });
});

test.each([
  "",
  "/",
  "/webhook-endpoints/",
  "/webhook-endpoints//test",
  "/webhook-endpoints/whe_1/",
  "/webhook-endpoints/whe_1/test/more",
  "/webhook-endpoints/a/b",
  "/webhook-endpoints/{id}/x",
  "/events/x/resend/",
  "/Events",
  "constructor",
  "/__proto__",
])("%s is not a route", (path) => {
  expect(findPathTarget(path)).toBeNull();
});
