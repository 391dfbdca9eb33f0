import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  actingRole,
  adminPermissions,
  adminRoleNames,
  adminRoles,
  mayGrantScopes,
  type Permission,
  permissionWords,
  resellerPermissions,
  resellerRoleNames,
  resellerRoles,
  sandboxRole,
} from "./roles.ts";
import { everydayScopes, scopes } from "./scopes.ts";

const doc = readFileSync(join(import.meta.dirname, "..", "..", "docs", "roles.md"), "utf8");

interface Column {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

function tableOf(permissions: readonly Permission[], columns: readonly Column[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(["May", "Permission", ...columns.map(({ name }) => name)]),
    `|---|---|${columns.map(() => ":-:|").join("")}`,
    ...permissions.map((permission) =>
      line([
        permissionWords[permission],
        `\`${permission}\``,
        ...columns.map((column) => (column.permissions.includes(permission) ? "✓" : "")),
      ]),
    ),
  ].join("\n");
}

test.each([
  ["resellers", tableOf(resellerPermissions, Object.values(resellerRoles))],
  ["admins", tableOf(adminPermissions, Object.values(adminRoles))],
])("docs/roles.md prints the roles of %s as they are", (_, table) => {
  expect(doc).toContain(table);
});

describe("roles of resellers", () => {
  test("an owner may do everything, and every other role less", () => {
    expect(resellerRoles.owner.permissions).toEqual(resellerPermissions);
    for (const role of resellerRoleNames.filter((name) => name !== "owner")) {
      const { permissions } = resellerRoles[role];
      expect(permissions.length).toBeLessThan(resellerPermissions.length);
      expect(permissions).not.toContain("team:write");
      expect(permissions).toContain("licenses:read");
    }
  });

  test("only owners and managers spend, and who spends can change licenses and bundles", () => {
    const spend = resellerRoleNames.filter((role) => resellerRoles[role].permissions.includes("wallet:spend"));
    expect(spend).toEqual(["owner", "manager"]);
    for (const role of spend) {
      expect(resellerRoles[role].permissions).toEqual(expect.arrayContaining(["licenses:write", "bundles:write"]));
    }
  });

  test("a viewer changes nothing", () => {
    expect(resellerRoles.viewer.permissions.filter((permission) => !/:(read|verify)$/.test(permission))).toEqual([]);
  });
});

describe("roles of admins", () => {
  test("an owner may do everything, and Support only sees and acts as a viewer", () => {
    expect(adminRoles.owner.permissions).toEqual(adminPermissions);
    expect(adminRoles.support.permissions).toEqual(["admin:read", "resellers:act"]);
    expect(adminRoleNames.map(actingRole)).toEqual(["owner", "owner", "owner", "viewer"]);
  });

  test("only owners manage admins", () => {
    expect(adminRoleNames.filter((role) => adminRoles[role].permissions.includes("admins:write"))).toEqual(["owner"]);
  });
});

test("in test mode, who may use it has a manager's rights", () => {
  expect(resellerRoleNames.map(sandboxRole)).toEqual(["owner", "manager", "support", "finance", "manager", "viewer"]);
});

test("a key never does more than its creator: writing licenses spends money", () => {
  const grants = (role: keyof typeof resellerRoles, granted: Parameters<typeof mayGrantScopes>[1]) =>
    mayGrantScopes(resellerRoles[role].permissions, granted);
  for (const role of ["owner", "manager"] as const) expect(grants(role, scopes)).toBe(true);
  expect(grants("developer", ["licenses:verify", "diagnostics:write", "webhooks:write"])).toBe(true);
  for (const granted of [
    ["licenses:write"],
    ["bundles:write"],
    ["wallet:read"],
    ["licenses:terminate"],
    everydayScopes,
  ] as const) {
    expect(grants("developer", granted)).toBe(false);
  }
  expect(mayGrantScopes(["licenses:write"], ["licenses:write"])).toBe(false);
});
