import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { type DatabaseProxy, startDatabaseProxy } from "#tests/faults/database-proxy.ts";
import { withConnection } from "./with-connection.ts";

let database: TestDatabase;
let proxy: DatabaseProxy;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

test("a server that falls silent fails the query, and one that does not end the connection delays nobody", async () => {
  const silentForMs = 500;
  const asked = withConnection(
    proxy.url,
    async (client) => {
      proxy.freeze();
      return client.query("select 1");
    },
    { silentForMs },
  );
  await expect(asked).rejects.toThrow("Query read timeout");
  proxy.thaw();
  const freeze = async () => proxy.freeze();
  await withConnection(proxy.url, freeze, { silentForMs });
  proxy.thaw();
});

test("a statement that may take any time has no limit", async () => {
  const { rowCount } = await withConnection(database.url, (client) => client.query("select pg_sleep(2)"), {
    silentForMs: null,
  });
  expect(rowCount).toBe(1);
});

test("a server that accepts the connection and says nothing is given up", async () => {
  proxy.freeze();
  const connected = withConnection(proxy.url, async () => null, { connectWithinMs: 500 });
  await expect(connected).rejects.toThrow("timeout expired");
  proxy.thaw();
});
