import pino from "pino";
import { expect, test } from "vitest";
import { watchOutages } from "./watch-outages.ts";

test.each([
  ["that loses its last connection meanwhile", ["25006", "57P01"], "the database is read-only"],
  ["that comes back read-only from a restart", ["57P01", "25006"], "the database is unreachable"],
])("a read-only database %s is reported writable at its end", (_, kinds, began) => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const watches = watchOutages(log);
  for (const kind of kinds) watches.database.failed(kind);
  watches.database.succeeded();
  watches.close();
  expect(lines).toEqual([began, "the database is writable again"]);
});
