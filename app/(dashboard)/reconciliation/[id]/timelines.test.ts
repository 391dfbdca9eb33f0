import { expect, test } from "vitest";
import { describeOffer, listHistory } from "./timelines.tsx";

const AT = new Date("2027-03-10T12:00:00Z");
const live = { ours: { state: "active" } };
const titleOf = (action: string, state: string, facts: object = live) => {
  const details = { kind: "differs", facts, firstSeenAt: AT, resolution: null, resolvedAt: null };
  const tried = { id: 1n, action: `reconciliation.${action}`, reason: "", data: { state }, actor: "user:1", at: AT };
  return listHistory(details as never, [tried as never])[0]?.title;
};

test("the history says what came of an action that left its case open", () => {
  expect(titleOf("charge", "partly")).toBe("Adopt and charge: done in part");
  expect(titleOf("correct", "unknown")).toBe("Correct provider: still unclear");
  expect(titleOf("correct", "rejected", { ours: null })).toBe("End at provider: rejected by the provider");
  expect(titleOf("correct", "not_sent", { ours: null })).toBe(
    "End at provider: not sent, the provider could not be reached",
  );
});

test("an action lists each fact of the license that it changes, as pages name them", () => {
  const ours = {
    product: "panel",
    address: "198.51.100.4",
    cores: null,
    state: "active",
    expires_at: "2027-01-31T09:30:00Z",
  };
  const provider = {
    ...ours,
    address: "198.51.100.9",
    cores: 4,
    state: "suspended",
    expires_at: null,
    expires_on: "2027-02-28",
  };
  const offer = {
    action: "adopt",
    rule: { possible: true, effect: "" },
    money: {},
    copies: ["address", "cores", "state", "term"],
  };
  expect(describeOffer({ kind: "differs", facts: { ours, provider } } as never, offer as never).changes).toEqual([
    { fact: "address", from: "198.51.100.4", to: "198.51.100.9" },
    { fact: "cores", from: "None", to: "4" },
    { fact: "state", from: "Active", to: "Suspended" },
    { fact: "term", from: "2027-01-31T09:30:00Z", to: "2027-02-28" },
  ]);
});
