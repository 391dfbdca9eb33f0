import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const unbounded = /(?:\\d|\[0-9\])(?:[+*]|\{\d+,\})/;

function linesWith(pattern: RegExp): string[] {
  const files = globSync("{app,components,lib}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: ["**/*.test.ts", "lib/db/generated/**"],
  });
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  return found.toSorted();
}

/** Patterns that only recognize digits; nothing makes a number of them. */
const recognizing = [
  "lib/domain/hostname.ts: const dottedDecimalPattern = /^\\d+\\.\\d+\\.\\d+\\.\\d+$/;",
  "lib/domain/integer.ts: const anyIntegerPattern = /^(?:0|-?[1-9]\\d*)$/;",
  "lib/domain/server-name.ts: return labels.length > 1 && !/^\\d+$/.test(topLevel) && !privateTopLevels.has(topLevel);",
];

/** Conversions that check nothing themselves, and what they are given. */
const converting = [
  "lib/cli/doctor/environment.ts: if (Number.parseInt(node, 10) >= NODE_MAJOR) return ok(node);",
  "lib/db/connection/columns.ts: export const bigint = z.bigint();",
  "lib/domain/diagnostics.ts: const amount = Number.parseInt(text, 10);",
  "lib/embedded/archive/line.ts: at: z.coerce.date(),",
  "lib/embedded/archive/line.ts: const lineSchema = ownerSchema.extend({ startedAt: z.coerce.date() });",
  'lib/embedded/postmaster-pid.ts: return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) || null : null;',
  'lib/jobs/queue.ts: const place = z.object({ kind: z.enum(["license", "bundle"]), id: z.int(), dueAt: z.coerce.date(), price });',
  "lib/services/bulk/kinds.ts: const pricedTerm = z.strictObject({ termEndsAt: z.coerce.date(), price: z.coerce.bigint() });",
  "lib/services/bulk/kinds.ts: price: z.coerce.bigint(),",
  "lib/services/bulk/quote-retry.ts: const priced = z.object({ price: z.coerce.bigint().default(0n) });",
];

test("text is converted to a number only after a pattern, except in these, which read our own or bounded text", () => {
  expect(linesWith(/z\.coerce|parseInt\(|parseFloat\(|valueAsNumber|z\.bigint\(/)).toEqual(converting);
});

test("every number pattern bounds its digits: five million would block the process for a second", () => {
  expect(linesWith(unbounded)).toEqual(recognizing.toSorted());
});
