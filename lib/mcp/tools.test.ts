import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Currency } from "#lib/domain/money.ts";
import { tools, toolsFor } from "./tools.ts";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "mcp.md"), "utf8");

test("docs/mcp.md lists every tool with its scope", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| `([\w:]+)` \|/gm)].map(([, name, scope]) => `${name} ${scope}`);
  expect(rows.toSorted()).toEqual(tools.map(({ name, endpoint }) => `${name} ${endpoint.scope}`).toSorted());
});

describe.each(tools)("$name", ({ about, charges, endpoint }) => {
  test("says what each argument means, and nothing of others", () => {
    expect(Object.keys(about)).toEqual(Object.keys(endpoint.schemaFor("USD" as Currency).shape));
  });

  test("changes nothing unless it says that it charges", () => {
    expect(endpoint.acceptsKey).toBe(charges === true);
  });
});

test("a key without scopes has no tools", () => {
  expect(toolsFor(new Set())).toEqual([]);
});
