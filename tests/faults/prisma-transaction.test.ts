import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "#lib/db/connection/client.ts";
import { createTestDatabase } from "#tests/database.ts";
import { sql } from "#tests/sql.ts";
import { startDatabaseProxy } from "./database-proxy.ts";

const root = join(import.meta.dirname, "..", "..");

/**
 * With Prisma 7's adapter, an interactive transaction that times out during COMMIT releases its client twice, which
 * throws an uncaught error (prisma/orm#29952).
 */
test("the program has no interactive transaction", () => {
  const files = ["app", "lib"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.startsWith("db/generated"))
      .map((file) => join(root, folder, file)),
  );
  const interactive = files.filter((file) =>
    /\$transaction\(\s*(async\b|\(|\w+\s*=>)/.test(readFileSync(file, "utf8")),
  );
  expect(interactive).toEqual([]);
});

test.each([true, false])(
  "a batch whose COMMIT gets no response (executed: %s) fails cleanly, and the process survives",
  async (arrives) => {
    const database = await createTestDatabase();
    const proxy = await startDatabaseProxy(database.url);
    const db = openDatabase({ url: proxy.url, poolSize: 2 });
    try {
      const broken = proxy.breakAt("COMMIT", { arrives });
      const create = (name: string) => db.prisma.provider.create({ data: { name, kind: "sandbox" } });
      await expect(db.prisma.$transaction([create("first"), create("second")])).rejects.toThrow();
      await broken;
      await sleep(100);
      const rows = await db.query(sql("select from providers where name in ('first', 'second')"), []);
      expect(rows).toHaveLength(arrives ? 2 : 0);
    } finally {
      await db.close();
      await proxy.close();
      await database.drop();
    }
  },
);
