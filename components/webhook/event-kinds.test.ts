import { expect, test } from "vitest";
import { eventKinds } from "#lib/domain/events.ts";
import { kindGroups, kindsSummary } from "./event-kinds.ts";

test("every kind is in one group", () => {
  expect(kindGroups.flatMap(({ kinds }) => kinds).toSorted()).toEqual([...eventKinds].toSorted());
});

test("a choice of kinds is summed up", () => {
  expect(kindsSummary([])).toBe("All events");
  expect(kindsSummary(["wallet.topped_up"])).toBe("wallet.topped_up");
  expect(kindsSummary(["wallet.topped_up", "wallet.low_balance"])).toBe("2 kinds of events");
});
