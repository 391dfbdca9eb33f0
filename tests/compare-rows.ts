/** For every test with a database: each row that a statement returns is as the statement declares it. */
import { afterAll, expect } from "vitest";
import { resultCheck } from "#lib/db/connection/statement.ts";
import { compareResult } from "./support/compare-rows.ts";

const differences = new Set<string>();

resultCheck.compare = (statement, result) => {
  for (const difference of compareResult(statement, result))
    differences.add(`${statement.name ?? statement.text.trim().slice(0, 80)}: ${difference}`);
};

// Not where the statement runs: whoever waits for it may expect that it fails.
afterAll(() => expect([...differences], "rows that are not as their statement declares them").toEqual([]));
