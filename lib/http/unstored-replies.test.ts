/**
 * A reply that leaves the idempotency key free says nothing about an earlier attempt (contract 1.11). The clients share
 * no code with the product, so each lists these replies.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DomainError, domainErrorCodes, isTransient } from "#lib/domain/errors.ts";
import { presentDispatchError, presentPathError } from "./error-table.ts";

const root = join(import.meta.dirname, "..", "..");
const FIRST_SERVER_ERROR = 500;

/** Nothing is charged on the path interface, and there its reply would be that to invalid parameters. */
const chargesOnly = "400 INVALID_REQUEST";

test("nothing is charged on the path interface", () => {
  const page = readFileSync(join(root, "docs", "contract", "path-interface.md"), "utf8");
  expect(page).not.toMatch(/\bbalance\b/i);
});

function listOf(source: string, name: string): string[] {
  const [, list = ""] = new RegExp(`\\b${name}\\b[^;[]*\\[([^\\]]*)\\]`).exec(source) ?? [];
  return list.split(",").flatMap((item) => item.trim().replaceAll(/["']/g, "") || []);
}

test.each(["clients/typescript/src/errors.ts", "clients/php/src/ApiException.php"])(
  "%s lists the replies of both interfaces that leave the idempotency key free",
  (file) => {
    const source = readFileSync(join(root, file), "utf8");
    const early = listOf(source, "EARLY_STATUSES").map(Number);
    expect(early).toContain(429);
    const replies = domainErrorCodes
      // Of the same key, so it says that an earlier attempt runs.
      .filter((code) => isTransient(code) && code !== "idempotency_in_progress")
      .map((code) => new DomainError(code, ""))
      .flatMap((error) => [presentDispatchError(error), presentPathError(error)])
      .filter(({ status }) => status < FIRST_SERVER_ERROR && !early.includes(status))
      .map(({ status, body }) => `${status} ${Object(body).code}`);
    const unstored = new Set(replies.filter((reply) => reply !== chargesOnly));
    expect(listOf(source, "UNSTORED_REPLIES")).toEqual([...unstored].toSorted());
  },
);
