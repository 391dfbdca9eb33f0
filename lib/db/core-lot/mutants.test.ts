/** Every guard of the lots is necessary: without it, a rule reports a violation. */
import { afterEach, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import {
  type CoreStep,
  checkCoreLotHistories,
  listBrokenRules,
  playCoreHistory,
} from "#tests/support/core-lot-history.ts";
import { mutateFunction } from "#tests/support/mutate-function.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
afterEach(() => world.close());

interface Mutant {
  readonly remove: () => Promise<unknown>;
  /** A history that only this guard rejects or completes. */
  readonly history: readonly CoreStep[];
  readonly breaks: string;
}

const mutate = (name: string, from: string | RegExp, to = "") => mutateFunction(world.db, name, from, to);
const drop = (trigger: string, table: string) => world.db.query(sql(`drop trigger ${trigger} on ${table}`), []);

const settle = { do: "settle", succeeded: true } as const;
const refundAll = { do: "refund", which: 0, amount: null } as const;
const remove = (change: Partial<Extract<CoreStep, { do: "remove" }>>) =>
  ({ do: "remove", cores: 5, lot: 0, percent: 100n, days: 0, off: 0n, ...change }) as const;
const tamper = (text: string) => ({ do: "tamper", text }) as const;

const overdrawn = "a lot gives up no more cores, and no more money, than it has";
const paidTwice = "credits and refunds of a charge together are never more than the charge";
const elapsed = "elapsed time is never credited, and never more than the share of the amount";
const inexact = "what an operation credits comes from lots of its license, to the unit";
const miscounted = "a lot counts the cores that settled credits have removed";
const unequal = "the lots of a change of cores add up to its charge, and those of a renewal to no more";
const unbalanced = "in each paid term ahead the live lots are the cores beyond the first";
const gap = "the paid terms of a running license reach to its end without a gap";

const mutants: Readonly<Record<string, Mutant>> = {
  "a hold that ignores its credits": {
    remove: () => mutate("place_holds", "perform require_core_credits(o)", "perform"),
    history: [remove({}), settle, remove({ cores: 4 }), settle],
    breaks: overdrawn,
  },
  "a credit that exceeds its lot": {
    remove: () =>
      mutate("require_core_credits", "used.reserved_cores > lot.cores or used.credited_amount > lot.amount", "false"),
    history: [remove({ cores: 3 }), settle, remove({ cores: 3, percent: 0n }), settle],
    breaks: overdrawn,
  },
  "a credit that exceeds its charge": {
    remove: () => mutate("require_core_credits", "charge_left(charge.id, p_operation.reseller_id) < 0", "false"),
    history: [refundAll, remove({}), settle],
    breaks: paidTwice,
  },
  "a refund that ignores credits": {
    remove: () =>
      mutate(
        "refund_operation",
        "amount_left := charge_left(op.id, op.reseller_id)",
        "select -coalesce(sum(e.amount), 0) into amount_left from ledger_entries e where e.operation_id = op.id",
      ),
    history: [remove({}), settle, refundAll],
    breaks: paidTwice,
  },
  "a refund while a credit is reserved": {
    remove: () => mutate("charge_left", "o.state is distinct from 'rejected'", "o.state = 'succeeded'"),
    history: [remove({}), refundAll, settle],
    breaks: paidTwice,
  },
  "a credit of elapsed time": {
    remove: () => mutate("require_core_credits", /c\.credited_from >= greatest\([^)]*\) and /),
    history: [{ do: "wait" }, remove({ days: -3, percent: 40n }), settle],
    breaks: elapsed,
  },
  "a credit of more than the share": {
    remove: () => mutate("require_core_credits", " or credited > floor(most + 0.000001)"),
    history: [{ do: "wait" }, remove({}), settle],
    breaks: elapsed,
  },
  "a credit of another amount than its lots give": {
    remove: () => mutate("require_core_credits", " or credited <> -p_operation.price"),
    history: [remove({ cores: 2, off: 1n }), settle],
    breaks: inexact,
  },
  "lots that do not add up to the charge": {
    remove: () => mutate("add_core_lots", /if charged > op\.price[\s\S]*?end if;/),
    history: [{ do: "add", cores: 2, price: 900n, missing: 1n }, settle],
    breaks: unequal,
  },
  "a license without recorded terms": {
    remove: () => drop("licenses_record_paid_terms_when_changed", "licenses"),
    history: [{ do: "extend" }],
    breaks: gap,
  },
  "cores that change without their lots": {
    remove: () => drop("licenses_balance_core_lots_when_changed", "licenses"),
    history: [{ do: "adopt", cores: 3 }],
    breaks: unbalanced,
  },
  "lots that are added to cores that do not change": {
    remove: () => mutate("add_core_lots", /perform balance_core_lots[^;]*;/),
    history: [{ do: "add", cores: 2, price: 0n, missing: 0n, again: true }, settle],
    breaks: unbalanced,
  },
  "lots that can be changed": {
    remove: () => drop("core_lots_append_only", "core_lots"),
    history: [tamper("update core_lots set amount = amount + 1 where operation_id is not null")],
    breaks: unequal,
  },
  "credits that can be changed": {
    remove: () => drop("core_credits_append_only", "core_credits"),
    history: [remove({ cores: 2 }), settle, tamper("update core_credits set cores = cores + 1")],
    breaks: unbalanced,
  },
  "removed cores that a settlement does not count": {
    remove: () => mutate("settle_operations", /perform count_removed_cores[^;]*;/, "null;"),
    history: [remove({ cores: 2 }), settle],
    breaks: unbalanced,
  },
  "removed cores that an adoption does not count": {
    remove: () => mutate("balance_core_lots", /perform count_removed_cores[^;]*;/, "null;"),
    history: [{ do: "adopt", cores: 3 }],
    breaks: miscounted,
  },
  "removed cores that can be set": {
    remove: () => drop("core_lots_append_only", "core_lots"),
    history: [tamper("update core_lots set removed_cores = removed_cores + 1")],
    breaks: miscounted,
  },
  "paid terms that can be changed": {
    remove: () => drop("paid_terms_append_only", "paid_terms"),
    history: [tamper("update paid_terms set starts_at = starts_at + interval '1 day'")],
    breaks: gap,
  },
};

test("with all guards, the lots agree after any history", async () => {
  world = await newWorld({ poolSize: 2 });
  for (const { history } of Object.values(mutants)) await playCoreHistory(world, history);
  expect(await listBrokenRules(world)).toEqual([]);
  expect(await checkCoreLotHistories(world, { seed: 20_270_310, numRuns: 25 })).toMatchObject({ failed: false });
}, 60_000);

test.each(Object.entries(mutants))("%s is detected", async (_, { remove, history, breaks }) => {
  world = await newWorld({ poolSize: 2 });
  await remove();
  await playCoreHistory(world, history);
  expect(await listBrokenRules(world)).toContain(breaks);
});
