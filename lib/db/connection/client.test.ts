import { expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import { sql } from "#tests/sql.ts";
import { openDatabase } from "./client.ts";

test.each([false, true])(
  "a session calculates in UTC, whatever the time zone of the database (read-only: %s)",
  async (readOnly) => {
    const database = await createTestDatabase();
    const name = new URL(database.url).pathname.slice(1);
    const setUp = openDatabase({ url: database.url, poolSize: 1 });
    await setUp.query(sql(`alter database "${name}" set timezone = 'America/New_York'`), []);
    await setUp.close();
    // With settings of the operator's own.
    const url = new URL(database.url);
    url.searchParams.set("options", "-c work_mem=7MB -c TimeZone=Asia/Tokyo");
    const db = openDatabase({ url: url.href, poolSize: 1, readOnly });
    try {
      const text = `select current_setting('TimeZone') as zone, current_setting('work_mem') as memory, current_setting('default_transaction_read_only') = 'on' as "readOnly"`;
      expect(await db.query(sql(text), [])).toEqual([{ zone: "UTC", memory: "7MB", readOnly }]);
    } finally {
      await db.close();
      await database.drop();
    }
  },
);
