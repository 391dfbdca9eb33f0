import { expect, test } from "vitest";
import type { LogRow } from "./log-row.ts";
import { answerText } from "./log-table.tsx";

const row: LogRow = {
  id: 1,
  href: "/webhooks/log/evt_1",
  kind: "license.renewed",
  test: false,
  license: null,
  endpoint: { id: "whe_1", url: "https://example.com", chatId: null, description: "" },
  outcome: "pending",
  attempts: 1,
  underWay: false,
  at: "2026-11-26T00:00:00.000Z",
  status: null,
  nextAttemptAt: null,
};

test.each([
  ["an answer is its status", { status: 503 }, "HTTP 503"],
  ["a repeated attempt has its number", { status: 200, attempts: 3 }, "HTTP 200, attempt 3"],
  ["an attempt without an answer says so", {}, "No answer"],
  ["so does a repeated one", { attempts: 2 }, "No answer, attempt 2"],
  ["an attempt that is being made has none yet", { underWay: true }, "In progress"],
  ["before the first attempt nothing was sent yet", { attempts: 0 }, "Not sent yet"],
  ["what is discarded before that is never sent", { attempts: 0, outcome: "discarded" }, "Not sent"],
] as const)("%s", (_, change, text) => {
  expect(answerText({ ...row, ...change })).toBe(text);
});
