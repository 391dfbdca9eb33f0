import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { sql } from "#tests/sql.ts";
import { openDatabase } from "./client.ts";
import { UtcClient } from "./utc-client.ts";
import { withConnection } from "./with-connection.ts";

const libDir = join(import.meta.dirname, "..", "..");

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await withConnection(database.url, (client) =>
    client.query(`alter database ${new URL(database.url).pathname.slice(1)} set timezone = 'America/New_York'`),
  );
});
afterAll(() => database.drop());

const url = (options = "") => {
  const one = new URL(database.url);
  if (options !== "") one.searchParams.set("options", options);
  return one.href;
};

test.each([
  ["the database", "", false],
  ["the URL", "-c TimeZone=Asia/Kathmandu", false],
  ["the database, for a connection to a pooler", "", true],
  ["the database, in safe mode", "", false, true],
])("days are those of UTC, whatever time zone is set by %s", async (_, options, isPooled, readOnly = false) => {
  const db = openDatabase({ url: url(options), poolSize: 1, isPooled, readOnly });
  try {
    // A day of 23 hours in New York.
    const days = "select $1::timestamptz + interval '1 day' as next, current_setting('timezone') as zone";
    const [row] = await db.query(sql<{ next: Date; zone: string }>(days), ["2027-03-13T23:00:00Z"]);
    expect(row).toEqual({ next: new Date("2027-03-14T23:00:00Z"), zone: "UTC" });
    const at = new Date("2027-07-01T12:00:00Z");
    const seconds = await db.prisma.$queryRaw`select extract(epoch from ${at}::timestamptz)::int as seconds`;
    expect(seconds).toEqual([{ seconds: at.getTime() / 1000 }]);
  } finally {
    await db.close();
  }
});

test("a connection outside of the pool is in UTC as well", async () => {
  const { rows } = await withConnection(database.url, (client) => client.query("show timezone"));
  expect(rows).toEqual([{ TimeZone: "UTC" }]);
});

/** Every other connection of the program. The clusters that it starts itself (lib/embedded) are in UTC. */
test("the program opens no other connections", () => {
  const opened = globSync("**/*.ts", { cwd: libDir, exclude: ["**/*.test.ts", "embedded/**", "db/generated/**"] })
    .map((file) => ({ file, source: readFileSync(join(libDir, file), "utf8") }))
    .flatMap(({ file, source }) =>
      [...source.matchAll(/new (?:pg\.)?(?:Client|Pool)\(\{?[^;]{0,200}/g)].map(([text]) => ({ file, text })),
    );
  expect(opened.map(({ file }) => file).toSorted()).toEqual(["db/connection/client.ts", "db/job/queue.ts"]);
  for (const { file, text } of opened) expect(text, file).toContain(`Client: ${UtcClient.name},`);
});
