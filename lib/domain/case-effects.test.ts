import { expect, test } from "vitest";
import { copiedFacts } from "./case-effects.ts";
import type { CaseAction, ComparedFact } from "./reconciliation.ts";

const copies = (action: CaseAction, differing: readonly ComparedFact[], of: object) =>
  copiedFacts({ kind: "differs", facts: { ours: null, differing }, term: { end: "same" }, ...of } as never, action);

test("adopting copies every differing fact, a charge only what it charges, a refund no cores beside a term", () => {
  const all = ["address", "cores", "state", "term"] as const;
  expect(copies("adopt", all, {})).toEqual(all);
  expect(copies("charge", all, { term: { end: "later" } })).toEqual(["term"]);
  expect(copies("charge", all, { term: { end: "earlier" } })).toEqual(["cores"]);
  expect(copies("refund", all, { unprovided: 100n })).toEqual(["address", "state", "term"]);
  expect(copies("refund", ["cores"], { unprovided: 0n })).toEqual(["cores"]);
  expect(copies("correct", all, {})).toEqual([]);
});
