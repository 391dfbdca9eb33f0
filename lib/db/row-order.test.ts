/** Two statements that lock the same rows in different orders wait for each other. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const TABLES =
  "operations|licenses|bundle_instances|wallets|reconciliation_cases|api_keys|webhook_deliveries|bulk_job_items";

/** What locks several rows of a table, and not by their ids in the same statement, and why nothing waits for it. */
const exceptions: Readonly<Record<string, string>> = {
  "one row":
    "adopt_late_success operations, end_bulk_item bulk_job_items, limits api_keys, postpone_bulk_item bulk_job_items, postpone_bulk_item operations, postpone_bulk_revert bulk_job_items, redirect_webhook_delivery webhook_deliveries, reopen_case reconciliation_cases, requeue_bulk_item bulk_job_items, requeue_webhook_delivery webhook_deliveries, rotate_api_key api_keys",
  "a statement before has locked them by their ids":
    "adopt_late_success licenses, advance_license licenses, apply_effects bundle_instances, apply_effects licenses, emit_low_balance wallets, hold_money wallets, lock_for_change bundle_instances, lock_for_change licenses, reset_sandbox api_keys, reset_sandbox bundle_instances, reset_sandbox licenses, settle_operations bundle_instances, settle_operations licenses, settle_wallets operations",
  "by the list that it joins, which is in order: its settings keep that order": "settle_wallets wallets",
  "of one job, whose row is locked": "begin_bulk_item bulk_job_items, job bulk_job_items",
  "of operations that settlements lock by their ids, as does who stops waiting for them":
    "settle_bulk_item bulk_job_items",
  "of claims, which one process has": "mark_operations_sent operations",
  "dismissed cases, of which only the one comparison of a provider writes several": "facts reconciliation_cases",
  "an endpoint has one pending challenge": "challenge_webhook_endpoint webhook_deliveries",
};

const inOrder = /order by (?:\w+\.)?(?:reseller_)?id\s*(?:limit [$\w]+\s*)?for (?:no key )?(?:update|share)/;
const mayWait = /for (?:(?:no key )?(?:update|share)|key share)(?!\s+(?:of \w+\s+)?skip locked)/g;
const change = new RegExp(
  `\\b(?:update|delete from)\\s+(${TABLES})\\b(?:(?!\\b(?:update|delete from)\\s+\\w+\\s).)*`,
  "gs",
);

const upsert = new RegExp(`\\binsert into\\s+(${TABLES})\\b[^;]*?\\bon conflict [^;]*?\\bdo update\\b`, "g");

/** Statements, with the function or module that has them. */
const statements = [
  ...globSync("prisma/sql/functions/*.sql", { cwd: root }).flatMap((file) =>
    read(file)
      .split(";")
      .map((text) => ({ name: basename(file, ".sql"), text })),
  ),
  ...globSync("lib/db/**/*.ts", { cwd: root, exclude: ["lib/db/generated/**", "**/*.test.ts"] }).flatMap((file) =>
    [...read(file).matchAll(/(?:\(\s*"(\w+)"[^`;]*)?(`[^`]*`)/g)].map(([, name = basename(file, ".ts"), text = ""]) => {
      return { name, text };
    }),
  ),
];

function read(file: string): string {
  return readFileSync(join(root, file), "utf8").replaceAll(/--.*/g, "");
}

/** Whether a condition names one row, by its id or, of a wallet, its reseller's. */
function isOneRow(text: string, table: string): boolean {
  const where = text.slice(text.lastIndexOf("where"));
  const id = table === "wallets" ? "reseller_id" : "id";
  return (
    new RegExp(`\\b(?<!_)${id} = (?!any\\b)`).test(where) &&
    !/\b(?:from|join)\b/.test(text.slice(0, text.lastIndexOf("where")))
  );
}

/** The tables of which a statement locks several rows in no order of its own. */
function unordered(text: string): string[] {
  const changed = [...text.matchAll(change), ...text.matchAll(upsert)]
    .filter(([clause, table = ""]) => !(isOneRow(clause, table) || inOrder.test(text) || /skip locked/.test(text)))
    .map(([, table = ""]) => table);
  const locked = [...text.matchAll(mayWait)]
    .map(({ index, 0: lock }) => text.slice(0, index) + lock)
    .filter((clause) => !inOrder.test(clause))
    .map((clause) => clause.slice(clause.search(/\bfrom\b(?!.*\bfrom\b)/s)))
    .flatMap((clause) => {
      const table = new RegExp(`\\b(?:from|join)\\s+(${TABLES})\\b`).exec(clause)?.[1];
      return table === undefined || isOneRow(clause.replace(/^from/, ""), table) ? [] : [table];
    });
  return [...changed, ...locked];
}

test("what locks several rows of a table locks them by their ids, with these exceptions", () => {
  const found = new Set(statements.flatMap(({ name, text }) => unordered(text).map((table) => `${name} ${table}`)));
  expect([...found].toSorted()).toEqual(
    Object.values(exceptions)
      .flatMap((names) => names.split(", "))
      .toSorted(),
  );
});

/** Up to the parenthesis that opens the query which ends here. */
function beforeQuery(text: string): string {
  let depth = 1;
  let at = text.length;
  while (at > 0 && depth > 0) {
    at -= 1;
    depth += { ")": 1, "(": -1 }[text[at] ?? ""] ?? 0;
  }
  return text.slice(0, at);
}

test("a query with a limit and a lock runs once: read again for another row, it would lock others", () => {
  const limited = statements.flatMap(({ name, text }) =>
    [...text.matchAll(/limit [$\w]+\s+for (?:no key )?update/g)].map(({ index }) => ({
      name,
      before: beforeQuery(text.slice(0, index)),
    })),
  );
  expect(limited.length).toBeGreaterThan(5);
  expect(limited.filter(({ before }) => !/\bas materialized\s*$/.test(before)).map(({ name }) => name)).toEqual([]);
});
