import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { buildId } from "./build-id.ts";

const root = join(import.meta.dirname, "..", "..");
const copies: string[] = [];
afterEach(() => {
  for (const copy of copies.splice(0)) rmSync(copy, { recursive: true });
});

function copyOf(...paths: string[]): string {
  const copy = mkdtempSync(join(tmpdir(), "license-desk-sources-"));
  copies.push(copy);
  for (const path of paths) cpSync(join(root, path), join(copy, path), { recursive: true });
  return copy;
}

test("equal sources have the same build id on every machine", () => {
  expect(buildId(copyOf("app", "package.json"))).toBe(buildId(copyOf("app", "package.json")));
});

test.each(["app/layout.tsx", "app/new.ts", "app/globals.css", "package.json", "proxy.ts", "prisma/schema/new.prisma"])(
  "a change of %s requires a new build",
  (path) => {
    const copy = copyOf("app", "package.json", "prisma/schema");
    const before = buildId(copy);
    writeFileSync(join(copy, path), "changed");
    expect(buildId(copy)).not.toBe(before);
  },
);

test.each(["app/new.test.ts", "README.md"])("a change of %s requires no new build", (path) => {
  const copy = copyOf("app");
  const before = buildId(copy);
  writeFileSync(join(copy, path), "changed");
  expect(buildId(copy)).toBe(before);
});

test("a build id consists of digits", () => {
  expect(buildId(root)).toMatch(/^\d{30}$/);
});
