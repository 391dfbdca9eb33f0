import { expect, test } from "vitest";
import type { WalletView } from "#components/wallet/ledger-params.ts";
import { ledgerLinks } from "./view.ts";

const view: WalletView = { kind: null, from: null, until: null, about: null, runway: null, before: null, after: null };
const page = { rows: [], next: null, previous: null, total: 0 };
const filterOf = (change: Partial<WalletView>) => ledgerLinks("/wallet", { ...view, ...change }, page).filter;

test("what the runway counts is not a filter of the ledger, and clearing the filters keeps it", () => {
  expect(filterOf({ runway: "all" })).toBe(false);
  expect(filterOf({ runway: "all", about: "lic_1" })).toMatchObject({ clearHref: "/wallet?runway=all" });
});
