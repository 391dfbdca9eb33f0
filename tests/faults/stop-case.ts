import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "#tests/sql.ts";
import { findDifferences } from "./books.ts";
import { type FaultAnswer, post } from "./client.ts";
import type { CrashPoint } from "./crash-at.ts";
import { describeUnclean, keepsPending } from "./crash-case.ts";
import type { Desk } from "./desk.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { expectedSuccesses, type Fault, faults, type VerbName, verbs } from "./verbs.ts";

export interface StopCase {
  readonly verb: VerbName;
  readonly fault: Fault;
  readonly point: CrashPoint;
  /** Who continues the operation while its process is stopped. */
  readonly meanwhile: "sweeper" | "caller";
}

export function nameOfStop({ verb, fault, point, meanwhile }: StopCase): string {
  return `${verb}, provider ${fault}, stopped ${point.moment} ${point.statement} ${point.nth}, then the ${meanwhile}`;
}

const FUNDS = "500";
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 50;

/**
 * Stops a server at a step of a request for longer than its lease, resumes it after others have dealt with the request,
 * and requires that it then changes nothing. `other` has a worker. Returns errors, one line each.
 */
export async function runStopCase(
  desk: Desk,
  other: ServerProcess,
  stop: StopCase,
  stoppedForMs: number,
): Promise<string[]> {
  const buyer = await desk.newBuyer(FUNDS);
  const request = await verbs[stop.verb].prepare(desk, buyer, faults[stop.fault]);
  const { apiKey, actor } = await desk.newKey(buyer.resellerId);
  const caller = { apiKey, idempotencyKey: randomUUID() };
  const sleeper = await startServer({ databaseUrl: desk.databaseUrl });
  try {
    await sleeper.stopAt(stop.point);
    const answer = post(sleeper.url, caller, request);
    if (!(await within(PATIENCE_MS, async () => sleeper.isStopped()))) return ["it was not stopped"];
    const stoppedAtMs = performance.now();
    const wrong: string[] = [];
    if (!(await within(PATIENCE_MS, () => isReleased(desk, sleeper.pid)))) wrong.push("it was not declared dead");
    let wasPending = keepsPending.has(stop.point.statement);
    const describe = (given: FaultAnswer | null) => {
      wrong.push(...describeUnclean(given, stop.fault, wasPending));
      wasPending ||= given?.status === 202;
    };
    if (stop.meanwhile === "caller") describe(await post(other.url, caller, request));
    if (!(await within(PATIENCE_MS, () => isNoneIn(desk, ["held", "sent"], actor))))
      wrong.push("its operation stays open");
    await sleep(Math.max(0, stoppedForMs - (performance.now() - stoppedAtMs)));

    sleeper.wakeUp();
    const first = await answer;
    if (!asksToRepeat(first)) describe(first);
    describe(await post(other.url, caller, request));
    if (!(await within(PATIENCE_MS, () => isNoneIn(desk, ["held", "sent", "unknown"], actor))))
      wrong.push("its outcome stays unknown");
    const last = await post(other.url, caller, request);
    describe(last);
    const successes = await countSuccesses(desk, actor);
    // A pending request that never reached the provider is rejected, as `describe` allows.
    const expected = wasPending && (last?.status ?? 0) >= 400 ? 0 : expectedSuccesses(stop.verb, stop.fault);
    if (successes !== expected) wrong.push(`carried out and charged ${successes} times, not ${expected}`);
    if (first?.status === 200 && successes === 0) wrong.push("it answered 200, and nothing was done");
    if (sleeper.errorOutput() !== "") wrong.push(`it wrote ${sleeper.errorOutput()}`);
    return wrong;
  } finally {
    await sleeper.kill();
  }
}

/** Whether a resumed server asks the caller to retry instead of reporting the outcome. */
function asksToRepeat(answer: FaultAnswer | null): boolean {
  const codes = ["UNAVAILABLE", "OPERATION_IN_PROGRESS"];
  return answer !== null && codes.includes(answer.code) && answer.retryAfter !== null;
}

/** Errors after everything has settled. */
export async function findErrors(desk: Desk): Promise<string[]> {
  await desk.releaseDead();
  await within(PATIENCE_MS, () => isNoneIn(desk, ["held", "sent"], null));
  return findDifferences(desk.db);
}

async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = performance.now() + ms; performance.now() < deadline; await sleep(LOOK_EVERY_MS)) {
    if (await isSo()) return true;
  }
  return false;
}

async function isReleased(desk: Desk, pid: number): Promise<boolean> {
  return (await desk.db.query(sql("select from processes where pid = $1"), [pid])).length === 0;
}

type OpenState = "held" | "sent" | "unknown";

/** `actor` null: any. */
async function isNoneIn(desk: Desk, states: readonly OpenState[], actor: string | null): Promise<boolean> {
  const text = `select from operations where ($2::text is null or actor = $2) and state::text = any($1::text[])`;
  return (await desk.db.query(sql(text), [states, actor])).length === 0;
}

async function countSuccesses(desk: Desk, actor: string): Promise<number> {
  const text = "select from operations where actor = $1 and state = 'succeeded'";
  return (await desk.db.query(sql(text), [actor])).length;
}
