import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { always } from "#tests/support/faults.ts";
import { type BreakerChange, guardProvider } from "./provider-guard.ts";

const COOL_DOWN_MS = 300;
const timeOut: ProviderOutcome = {
  kind: "unknown",
  message: "The provider did not respond in time.",
  fault: "time_out",
};
const request = { idempotencyKey: "1" } as ProviderRequest;

function guarded() {
  const sent: string[] = [];
  let answer: () => Promise<ProviderOutcome> = async () => timeOut;
  const provider: LicenseProvider = {
    name: "up",
    traits: { terms: "counted", endsBySuspending: true },
    execute: ({ idempotencyKey }) => {
      sent.push(idempotencyKey);
      return answer();
    },
    lookUp: async () => ({ kind: "not_found", isVoid: false }),
    async *bookPages() {},
  };
  const changes: BreakerChange[] = [];
  const onChange = (change: BreakerChange) => void changes.push(change);
  const guard = guardProvider(provider, { failuresToOpen: 3, coolDownMs: COOL_DOWN_MS, onChange });
  const health = () => guard.health?.() as NonNullable<ReturnType<NonNullable<LicenseProvider["health"]>>>;
  return {
    guard,
    changes,
    sent,
    health,
    answerWith(next: ProviderOutcome | (() => Promise<ProviderOutcome>)) {
      answer = typeof next === "function" ? next : async () => next;
    },
    async fail(times: number) {
      answer = async () => timeOut;
      for (let time = 0; time < times; time++) await guard.execute(request, always);
    },
  };
}

test("it opens after consecutive requests without a response, and then sends nothing", async () => {
  const { guard, sent, health, fail } = guarded();
  await fail(2);
  expect(health()).toMatchObject({ state: "closed", accepts: true });
  await fail(1);
  expect(health()).toMatchObject({
    state: "open",
    accepts: false,
    lastFailure: { message: timeOut.message },
    lastSuccessAt: null,
  });
  expect((await guard.execute(request, always)).kind).toBe("not_sent");
  expect(sent).toHaveLength(3);
  expect((await guard.lookUp(request)).kind).toBe("not_found");
});

test.each([
  ["refusals", { kind: "rejected", message: "No." }],
  ["inconclusive responses", { kind: "unknown", message: "The provider does not know yet." }],
  ["successes", { kind: "succeeded" }],
] as const)("%s do not open it, and reset the failures", async (_, outcome) => {
  const { guard, health, answerWith, fail } = guarded();
  await fail(2);
  answerWith(outcome);
  await guard.execute(request, always);
  await fail(2);
  expect(health().state).toBe("closed");
});

test("a check counts as a request", async () => {
  const provider = { ...guarded().guard, check: async () => timeOut };
  const guard = guardProvider(provider, { failuresToOpen: 2, coolDownMs: COOL_DOWN_MS });
  for (let time = 0; time < 2; time++) await guard.check?.([request], always);
  expect(guard.health?.().state).toBe("open");
  expect((await guard.check?.([request], always))?.kind).toBe("not_sent");
});

test("a problem with our account is the last failure, also if it came with a success or a service reports it", async () => {
  const { guard, health, answerWith } = guarded();
  answerWith({ kind: "succeeded", accountProblem: "Suspended instead." });
  await guard.execute(request, always);
  expect(health()).toMatchObject({ lastFailure: { message: "Suspended instead." }, lastSuccessAt: null });
  guard.reportProblem?.("Charges more.");
  expect(health().lastFailure?.message).toBe("Charges more.");
});

test("the provider's own words of a rejection are shown, and are no failure", async () => {
  const { guard, health, answerWith } = guarded();
  answerWith({ kind: "rejected", message: "No.", note: "IP_CHANGE_FAILED: No." });
  await guard.execute(request, always);
  const { lastFailure, lastSuccessAt } = health();
  expect(lastFailure?.message).toBe("IP_CHANGE_FAILED: No.");
  expect(lastSuccessAt?.getTime()).toBeGreaterThanOrEqual(lastFailure?.at.getTime() ?? 0);
});

test("after the cool-down a single request probes it, and its success closes it", async () => {
  const { guard, sent, health, answerWith, fail } = guarded();
  await fail(3);
  await sleep(COOL_DOWN_MS + 20);
  expect(health()).toMatchObject({ state: "open", accepts: true });
  const probe = Promise.withResolvers<ProviderOutcome>();
  answerWith(() => probe.promise);
  const first = guard.execute(request, always);
  expect(health()).toMatchObject({ state: "half_open", accepts: false });
  expect((await guard.execute(request, always)).kind).toBe("not_sent");
  expect(sent).toHaveLength(4);
  probe.resolve({ kind: "succeeded" });
  expect((await first).kind).toBe("succeeded");
  expect(health()).toMatchObject({ state: "closed", accepts: true, lastLatencyMs: expect.any(Number) });
  expect(health().lastSuccessAt).toBeInstanceOf(Date);
});

test("a failed probe keeps it open for another cool-down", async () => {
  const { health, fail } = guarded();
  await fail(3);
  await sleep(COOL_DOWN_MS + 20);
  await fail(1);
  expect(health()).toMatchObject({ state: "open", accepts: false });
});

test("each state change is reported once, with the failures and the kind of the last one", async () => {
  const { changes, guard, fail, answerWith } = guarded();
  await fail(3);
  for (let i = 0; i < 100; i++) await guard.execute(request, always);
  expect(changes).toEqual([{ state: "open", failures: 3, lastKind: "time_out" }]);
  await sleep(COOL_DOWN_MS + 20);
  await fail(1);
  await sleep(COOL_DOWN_MS + 20);
  answerWith({ kind: "succeeded" });
  await guard.execute(request, always);
  expect(changes.slice(1)).toEqual([
    { state: "half_open", failures: 3, lastKind: "time_out" },
    { state: "open", failures: 4, lastKind: "time_out" },
    { state: "half_open", failures: 4, lastKind: "time_out" },
    { state: "closed", failures: 4, lastKind: "time_out" },
  ]);
  await fail(3);
  expect(changes.at(-1)).toEqual({ state: "open", failures: 3, lastKind: "time_out" });
});
