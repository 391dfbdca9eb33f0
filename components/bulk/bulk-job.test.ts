import { expect, test } from "vitest";
import { bulkItemStates } from "#lib/domain/bulk.ts";
import { progressOf } from "./bulk-job.ts";

const counts = (given: object) =>
  ({ ...Object.fromEntries(bulkItemStates.map((state) => [state, 0])), ...given }) as never;

test("a change that is still to be reverted does not count as done, and one that is left out not at all", () => {
  const given = { succeeded: 2, running: 1, pending: 1, undone: 3, failed: 1, skipped: 5 };
  expect(progressOf({ state: "undoing", counts: counts(given) })).toEqual({ total: 8, ended: 4 });
  expect(progressOf({ state: "running", counts: counts(given) })).toEqual({ total: 8, ended: 6 });
});
