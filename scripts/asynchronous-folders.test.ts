import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** They run while nothing is served. */
const COMMANDS = ["lib/embedded/archive/restore.ts"];

test("no call on ARCHIVE_DIR or BACKUP_DIR blocks a process that serves, whose mount may hang", () => {
  const files = globSync(["lib/embedded/archive/*.ts", "lib/backup/*.ts"], { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts") && !COMMANDS.includes(file),
  );
  expect(files.length).toBeGreaterThan(10);
  const blocking = files.filter((file) => /\b\w+Sync\b/.test(readFileSync(join(root, file), "utf8")));
  expect(blocking).toEqual([]);
});
