import { expect, test } from "vitest";
import type { ProviderCall } from "#lib/domain/observation.ts";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { LicenseProvider, ProviderLookUp, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { always } from "#tests/support/faults.ts";
import { watchProvider } from "./provider-watch.ts";

const request = { idempotencyKey: "1" } as ProviderRequest;
const message = "a text that may quote the key lk_live_secret";

async function seen(outcome: ProviderOutcome, found: ProviderLookUp = { kind: "succeeded" }) {
  const lines: string[] = [];
  const calls: string[] = [];
  const watch = (name: string) => ({
    failed: (kind: string) => void lines.push(`${name} ${kind}`),
    succeeded: () => void lines.push(`${name} ok`),
  });
  const provider = { execute: async () => outcome, lookUp: async () => found } as unknown as LicenseProvider;
  const answered = ({ request, outcome }: ProviderCall) => void calls.push(`${request} ${outcome}`);
  const watched = watchProvider(provider, { changes: watch("change"), lookUps: watch("look-up"), answered });
  expect(await watched.execute(request, always)).toBe(outcome);
  expect(await watched.lookUp(request)).toBe(found);
  return { lines, calls };
}

test.each<[string, ProviderOutcome, string[], string[]]>([
  ["a success", { kind: "succeeded" }, ["change ok"], ["change succeeded"]],
  ["a refusal", { kind: "rejected", message }, ["change ok"], ["change rejected"]],
  [
    "trouble with our account",
    { kind: "rejected", message, accountProblem: message },
    ["change account_problem"],
    ["change account_problem"],
  ],
  [
    "a success with such trouble",
    { kind: "succeeded", accountProblem: message },
    ["change account_problem"],
    ["change account_problem"],
  ],
  [
    "too many requests of our account",
    { kind: "not_sent", message, accountProblem: message },
    ["change account_problem"],
    ["change account_problem"],
  ],
  ["a closed port", { kind: "not_sent", message, fault: "connection" }, ["change connection"], ["change connection"]],
  ["an open circuit breaker", { kind: "not_sent", message }, ["change paused"], ["change paused"]],
  ["a time-out", { kind: "unknown", message, fault: "time_out" }, ["change time_out"], ["change time_out"]],
  ["an HTTP 500", { kind: "unknown", message }, ["change unclear_answer"], ["change unclear_answer"]],
  ["nothing to send", { kind: "withheld" }, [], []],
])("%s is recorded and counted by its kind, never by its text", async (_, outcome, recorded, counted) => {
  expect(await seen(outcome)).toEqual({
    lines: [...recorded, "look-up ok"],
    calls: [...counted, "look_up succeeded"],
  });
});

test("look-ups are recorded separately: a provider may answer them while changes fail", async () => {
  const { lines } = await seen({ kind: "succeeded" }, { kind: "unreachable", message });
  expect(lines).toEqual(["change ok", "look-up unreachable"]);
});
