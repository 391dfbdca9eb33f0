import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** What orders events by their time alone. */
const exceptions = [
  "queue_digest_mails: one of a license's events of a stretch of time",
  "queue_digest_mails: one of a license's events of a stretch of time",
];

test("events of one millisecond are listed in the order in which they happened, not by their random ids", () => {
  const files = globSync(["prisma/sql/functions/*.sql", "lib/db/**/*.ts"], { cwd: root, exclude: ["**/*.test.ts"] });
  const orders = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), "utf8").matchAll(
        /\border by (?:(?!\b(?:select|from|limit|update)\b)[^;`]){0,300}?\boccurred_at\b(.{0,30})/g,
      ),
    ].map(([, next = ""]) => ({ name: basename(file).replace(/\.\w{1,4}$/, ""), next })),
  );
  expect(orders.length).toBeGreaterThan(6);
  expect(orders.filter(({ next }) => !/^ desc, (?:\w+\.)?sequence desc/.test(next)).map(({ name }) => name)).toEqual(
    exceptions.map((exception) => exception.split(":")[0]),
  );
});
