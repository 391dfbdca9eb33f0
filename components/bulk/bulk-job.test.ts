import { expect, test } from "vitest";
import type { BulkCounts } from "#lib/domain/bulk.ts";
import { isPartlyReverted } from "./bulk-job.ts";

const none: BulkCounts = { queued: 0, running: 0, succeeded: 0, failed: 0, pending: 0, skipped: 0, undone: 0 };
const reverted = { state: "finished", allOrNothing: true, canceled: false, counts: none } as const;

test.each([
  ["the rejected change alone failed", { counts: { ...none, failed: 1, undone: 2 } }, false],
  ["a revert failed, too", { counts: { ...none, failed: 2, undone: 1 } }, true],
  ["a user stopped it and all was reverted", { canceled: true, counts: { ...none, undone: 2 } }, false],
  ["a user stopped it and a revert failed", { canceled: true, counts: { ...none, failed: 1, undone: 1 } }, true],
  ["it is still reverting", { state: "undoing", counts: { ...none, failed: 2 } } as const, false],
  ["it reverts nothing", { allOrNothing: false, counts: { ...none, failed: 2 } }, false],
])("whether some changes could not be reverted, when %s", (_, change, expected) => {
  expect(isPartlyReverted({ ...reverted, ...change })).toBe(expected);
});
