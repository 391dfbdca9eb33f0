import { expect, test } from "vitest";
import type { CaseFacts, ComparedFact } from "#lib/domain/reconciliation.ts";
import { askAbout, listDifferences } from "./case-text.ts";

const ours = {
  product: "panel",
  address: "198.51.100.4",
  cores: null,
  state: "active",
  expires_at: "2027-01-31T09:30:00Z",
} as const;

function differenceOf(fact: ComparedFact, theirs: Partial<CaseFacts["provider"]>) {
  const provider = { ...ours, expires_on: null, name: null, unreported: [], ...theirs };
  const [difference] = listDifferences({ ledger: null, ours, provider, differing: [fact] });
  return [difference?.ours, difference?.theirs];
}

test("differences read as on the page of the case: no codes, and days and times in UTC", () => {
  expect(differenceOf("state", { state: "suspended" })).toEqual(["Active", "Suspended"]);
  expect(differenceOf("term", { expires_at: "2027-02-28T09:30:00Z" })).toEqual([
    "Jan 31, 2027 UTC",
    "Feb 28, 2027 UTC",
  ]);
  expect(differenceOf("term", { expires_at: "2027-01-31T09:30:05Z" })).toEqual([
    expect.stringMatching(/^Jan 31, 2027, 9:30:00.AM UTC$/),
    expect.stringMatching(/^Jan 31, 2027, 9:30:05.AM UTC$/),
  ]);
  expect(differenceOf("term", { expires_at: null, expires_on: "2027-03-01" })).toEqual([
    "Jan 31, 2027 UTC",
    "Mar 1, 2027 UTC",
  ]);
  expect(differenceOf("cores", { cores: 4 })).toEqual(["None", "4"]);
});

test("a charge for cores does not ask about a renewal", () => {
  const titleOf = (fact: ComparedFact) =>
    askAbout({ action: "charge", wallet: -100n, changes: [{ fact, from: "1", to: "4" }] } as never, "USD").title;
  expect(titleOf("cores")).toBe("Adopt the cores, and charge for them?");
  expect(titleOf("term")).toBe("Adopt this, and charge it as a renewal?");
});
