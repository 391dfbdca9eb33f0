/** Every guard of the money functions is necessary: without it, an invariant reports a violation. */
import { afterEach, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { checkHistories } from "#tests/support/ledger-history.ts";
import { mutateFunction } from "#tests/support/mutate-function.ts";
import { newWorld, type World } from "#tests/support/world.ts";

const SEED = 20_270_310;
let world: World;
afterEach(() => world.close());

const mutate = (name: string, from: string | RegExp, to = "") => mutateFunction(world.db, name, from, to);
const execute = (text: string) => world.db.query(sql(text), []);

const mutants: Readonly<Record<string, { readonly remove: () => Promise<unknown>; readonly breaks: string }>> = {
  "a hold that ignores the available balance": {
    async remove() {
      await mutate("hold_money", "and w.posted - w.held >= t.amount");
      await execute("alter table wallets drop constraint wallets_spendable_never_negative");
    },
    breaks: "what can be spent is never negative",
  },
  "a posting that ignores the available balance": {
    async remove() {
      await mutate("post_ledger_entry", "and w.posted + p_amount - w.held >= 0");
      await execute("alter table wallets drop constraint wallets_spendable_never_negative");
    },
    breaks: "what can be spent is never negative",
  },
  "a settlement of an operation that is not open": {
    async remove() {
      await mutate("lock_settlements", "and o.state in ('held', 'sent', 'unknown')");
      await execute("alter table wallets drop constraint wallets_held_never_negative");
      await execute("alter table wallets drop constraint wallets_spendable_never_negative");
    },
    breaks: "what a wallet holds is the sum of its open operations' holds",
  },
  "a settlement without the charge's entry": {
    remove: () => mutate("settle_wallets", "where s.charged <> 0", "where s.charged < 0"),
    breaks: "a wallet's posted balance is the sum of its entries",
  },
  "a settlement that releases what it should keep": {
    remove: () => mutate("settle_wallets", "held = w.held - t.held", "held = 0"),
    breaks: "what a wallet holds is the sum of its open operations' holds",
  },
  "a charge that is posted twice": {
    remove: () =>
      mutate("settle_wallets", "where s.charged <> 0", "cross join generate_series(1, 2) where s.charged <> 0"),
    breaks: "a succeeded operation was charged or credited exactly its price, once",
  },
  "a ledger without the unique reference": {
    remove: () => execute("drop index ledger_entries_reseller_id_reference_key"),
    breaks: "a reference was used once a wallet",
  },
  "a ledger that can be changed": {
    remove: () => execute("drop trigger ledger_entries_append_only on ledger_entries"),
    breaks: "a wallet's posted balance is the sum of its entries",
  },
  "a refund that ignores the remaining charge": {
    remove: () => mutate("refund_operation", /if coalesce\(p_amount[\s\S]*?end if;/),
    breaks: "refunds give back no more than was charged",
  },
  "a decision that can be repeated": {
    async remove() {
      await mutate("decide_top_up", "and t.state = 'requested'");
      await execute("drop index ledger_entries_reseller_id_reference_key");
    },
    breaks: "a reference was used once a wallet",
  },
  "a term without its one automatic renewal": {
    remove: () => execute("drop index operations_one_automatic_renewal_per_term"),
    breaks: "a term is auto-renewed once",
  },
};

test("with all guards, the books agree after any history", async () => {
  world = await newWorld({ poolSize: 2 });
  expect(await checkHistories(world, { seed: SEED, numRuns: 60 })).toMatchObject({ failed: false });
});

test.each(Object.entries(mutants))("%s is detected", async (_, { remove, breaks }) => {
  world = await newWorld({ poolSize: 2 });
  await remove();
  expect(await checkHistories(world, { seed: SEED, numRuns: 150 })).toMatchObject({ failed: true });
  expect(Object.keys(await findBrokenInvariants(world.db))).toContain(breaks);
});
