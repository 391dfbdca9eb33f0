import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ComparisonText } from "#components/provider/comparison-text.tsx";
import type { LastComparison } from "#lib/services/reconciliation/list-cases.ts";
import { ComparisonStatus } from "./comparison-status.tsx";

const AT = new Date("2027-03-10T12:00:00Z");
const line: LastComparison = {
  provider: "upstream",
  startedAt: new Date(0),
  finishedAt: AT,
  runningSince: null,
  heldCount: 3,
  licenseCount: 2,
  openCaseCount: 1,
  failureMessage: null,
};
/** Without the time, which depends on now. */
const textOf = (markup: string) => markup.replaceAll(/<time.*?<\/time>/g, "[time]").replaceAll(/<[^>]*>/g, "");
const show = (of: Partial<LastComparison>) => {
  const lines = [{ ...line, ...of }];
  return textOf(renderToStaticMarkup(createElement(ComparisonStatus, { lines })));
};

test("the result of the last comparison stays while the next one runs", () => {
  const result = "upstream: compared [time], 3 licenses at the provider, 2 here, 1 open case";
  expect(show({})).toBe(result);
  expect(show({ runningSince: AT })).toBe(`${result} (comparing again now)`);
  const failure = "upstream: not compared [time]. It does not answer.";
  expect(show({ failureMessage: "It does not answer." })).toBe(failure);
  expect(show({ failureMessage: "It does not answer.", runningSince: AT })).toBe(`${failure} (comparing again now)`);
});

test("a first comparison has no result yet", () => {
  expect(show({ finishedAt: null, runningSince: AT })).toBe("upstream: being compared now");
  expect(show({ finishedAt: null })).toBe("upstream: not compared yet");
});

test("a provider's row keeps the time of the last comparison while the next one runs", () => {
  const comparison = { finishedAt: AT, runningSince: AT, failureMessage: null };
  expect(textOf(renderToStaticMarkup(createElement(ComparisonText, { comparison })))).toBe(
    "[time](comparing again now)",
  );
});
