import { expect, test } from "vitest";
import { listHistory } from "./timelines.tsx";

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
