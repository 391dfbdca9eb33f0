import { expect, test } from "vitest";
import { everydayScopes, scopes } from "#lib/domain/scopes.ts";
import { canSpend, presetOf, presets, scopesSummary } from "./scope-presets.ts";

test("read only neither writes nor spends, and everything is all that can be undone", () => {
  expect(presets.read.scopes.filter((scope) => scope.endsWith(":write"))).toEqual([]);
  expect(canSpend(presets.read.scopes)).toBe(false);
  expect(presets.all.scopes).toEqual(scopes.filter((scope) => scope !== "licenses:terminate"));
  expect(canSpend(presets.all.scopes)).toBe(true);
});

test("scopes are named by their preset in any order, else one by one, else by their number", () => {
  expect(presetOf(["diagnostics:write", "licenses:verify"])).toBe("agent");
  expect(scopesSummary(["licenses:verify"])).toBe("Verify only");
  expect(scopesSummary([...everydayScopes].toReversed())).toBe("Everything");
  expect(scopesSummary(["wallet:read", "catalog:read"])).toBe("wallet:read, catalog:read");
  expect(scopesSummary(["wallet:read", "catalog:read", "bundles:read"])).toBe("3 scopes");
});
