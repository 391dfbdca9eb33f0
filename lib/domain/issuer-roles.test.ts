import { expect, test } from "vitest";
import { parseIssuerRoles } from "./issuer-roles.ts";

test("each domain has one role, as admin or at a reseller", () => {
  expect([...(parseIssuerRoles("example.com=admin:support, partner.example=reseller:12:viewer") ?? [])]).toEqual([
    ["example.com", { resellerId: null, role: "support" }],
    ["partner.example", { resellerId: 12, role: "viewer" }],
  ]);
});

test.each([
  "example.com",
  "example.com=support",
  "example.com=admin:king",
  "example.com=admin:developer",
  "example.com=reseller:viewer",
  "example.com=reseller:Northwind:viewer",
  "example.com=reseller:0:viewer",
  "example.com=reseller:99999999999:viewer",
  "example.com=reseller:12:viewer:owner",
  "example.com=admin:support,",
  "example.com=admin:support;other.example=admin:owner",
  "example.com=admin:support,example.com=admin:owner",
  "Example.com=admin:support",
  "*.example.com=admin:support",
  "*=admin:support",
  "com=admin:support",
  "exämple.com=admin:support",
  "ada@example.com=admin:support",
])("%s is no mapping", (text) => {
  expect(parseIssuerRoles(text)).toBeNull();
});
