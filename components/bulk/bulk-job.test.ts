import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { bulkItemStates } from "#lib/domain/bulk.ts";
import { progressOf } from "./bulk-job.ts";
import { BulkJobTable } from "./bulk-job-table.tsx";
import { BulkItemBadge, BulkJobBadge } from "./bulk-state-badge.tsx";

const counts = (given: object) =>
  ({ ...Object.fromEntries(bulkItemStates.map((state) => [state, 0])), ...given }) as never;

test("a change that is still to be reverted does not count as done, and one that is left out not at all", () => {
  const given = { succeeded: 2, running: 1, pending: 1, undone: 3, failed: 1, skipped: 5 };
  expect(progressOf({ state: "undoing", counts: counts(given) })).toEqual({ total: 8, ended: 4 });
  expect(progressOf({ state: "running", counts: counts(given) })).toEqual({ total: 8, ended: 6 });
});

test("the list of jobs counts a change that is still to be reverted as not done, and says how many are reverted", () => {
  const job = {
    id: 1,
    kind: "terminate",
    detail: "",
    reseller: {},
    startedBy: "Ada",
    createdAt: "2027-03-10T12:00:00Z",
  };
  const doneIn = (given: object) => {
    const shown = { ...job, ...given, counts: counts({ succeeded: 2, undone: 3, failed: 1 }) } as never;
    const markup = renderToStaticMarkup(createElement(BulkJobTable, { jobs: [shown], free: true }));
    const [cell = ""] = markup.split(">Done</span>").at(-1)?.split("</td>") ?? [];
    return cell.replaceAll(/<[^>]*>/g, " ").trim();
  };
  expect(doneIn({ state: "undoing" })).toBe("0 of 6 3 of 5 reverted");
  expect(doneIn({ state: "finished" })).toBe("2 of 6 3 reverted");
});

test("badges say how many changes stay because their revert failed, and which", () => {
  const job = { state: "finished", allOrNothing: true, notReverted: 2, counts: counts({ failed: 3 }) } as never;
  expect(renderToStaticMarkup(createElement(BulkJobBadge, { job }))).toContain(">2 not reverted<");
  const badgeOf = (notReverted: boolean) =>
    renderToStaticMarkup(createElement(BulkItemBadge, { item: { state: "failed", notReverted }, undoing: false }));
  expect(badgeOf(true)).toContain(">Not reverted<");
  expect(badgeOf(false)).toContain(">Failed<");
});
