/** In every test with a database, compares each returned row with its statement's declaration. */
import { afterAll, expect } from "vitest";
import { resultCheck } from "#lib/db/connection/statement.ts";
import { compareResult } from "./support/compare-rows.ts";

const differences = new Set<string>();

resultCheck.compare = (statement, result) => {
  for (const difference of compareResult(statement, result))
    differences.add(`${statement.name ?? statement.text.trim().slice(0, 80)}: ${difference}`);
};

// After the test, because a test may expect the statement to fail.
afterAll(() => expect([...differences], "rows that are not as their statement declares them").toEqual([]));
