import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPathTarget, pathTargets } from "./path-api/interface.ts";

const folder = join(import.meta.dirname, "..", "..", "app", "api", "v1");

test("the route table and the folders of app/api/v1 have the same routes", () => {
  const inFolders = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => `/${file.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith("/route.ts") && !file.includes("[..."))
    .map((file) => file.slice(0, -"/route.ts".length).replaceAll(/\[(\w+)\]/g, "{$1}"));
  expect(inFolders.filter((path) => path !== "").toSorted()).toEqual(Object.keys(pathTargets).toSorted());
});

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
