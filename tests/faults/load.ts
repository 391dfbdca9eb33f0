import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "#tests/sql.ts";
import { type FaultAnswer, get, post } from "./client.ts";
import type { Desk } from "./desk.ts";
import type { DispatchRequest } from "./verbs.ts";
import { verbs } from "./verbs.ts";

/** Callers that buy continuously and retry as instructed. */
export interface Load {
  /** Responses so far, oldest first; null for a broken connection. */
  readonly answers: readonly (FaultAnswer | null)[];
  answered(count: number): Promise<void>;
  /** Completes each caller's last request; returns the results by actor. */
  stop(): Promise<ReadonlyMap<string, CallerResult>>;
}

/** Numbers of requests answered as done and as pending. */
export interface CallerResult {
  done: number;
  pending: number;
}

const PATIENCE_MS = 60_000;
const PAUSE_MS = 20;
const reads = ["balance", "products", "bundles"];

/** Callers with a key and a license each, on one wallet: half renew, half register. */
export async function startLoad(desk: Desk, url: string, callerCount: number): Promise<Load> {
  const buyer = await desk.newBuyer("100000");
  const answers: (FaultAnswer | null)[] = [];
  const results = new Map<string, CallerResult>();
  let stopped = false;

  async function settle(apiKey: string, request: DispatchRequest): Promise<keyof CallerResult | null> {
    const caller = { apiKey, idempotencyKey: randomUUID() };
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(PAUSE_MS)) {
      const answer = await post(url, caller, request);
      answers.push(answer);
      if (answer && answer.status < 300) return answer.status === 202 ? "pending" : "done";
      if (answer && answer.status < 500 && answer.code !== "IDEMPOTENCY_IN_PROGRESS") return null;
    }
    throw new Error("no clear answer in time");
  }

  /** False: its outcome stays unknown until the provider is asked again. */
  async function settled(actor: string): Promise<boolean> {
    const text = "select state from operations where actor = $1 and state in ('held', 'sent', 'unknown')";
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(PAUSE_MS)) {
      const open = await desk.db.query(sql<{ state: string }>(text), [actor]).catch(() => null);
      if (open?.every(({ state }) => state === "unknown")) return open.length === 0;
    }
    throw new Error("an operation of a living server stays open");
  }

  async function prepareCaller(position: number) {
    const key = await desk.newKey(buyer.resellerId);
    const request = await verbs[position % 2 === 0 ? "renew" : "register"].prepare(desk, buyer, null);
    return { ...key, request };
  }

  async function call({ apiKey, actor, request }: Awaited<ReturnType<typeof prepareCaller>>): Promise<void> {
    const counts: CallerResult = { done: 0, pending: 0 };
    results.set(actor, counts);
    while (!stopped) {
      answers.push(await get(url, apiKey, reads[answers.length % reads.length] ?? "balance"));
      const { parameters } = request;
      const next =
        "ip_address" in parameters
          ? { ...request, parameters: { ...parameters, ip_address: desk.freshAddress() } }
          : request;
      const outcome = await settle(apiKey, next);
      if (outcome) counts[outcome] += 1;
      // The server rejects another change of the license before the outcome is known.
      if (outcome === "pending" && !(await settled(actor))) return;
    }
  }

  const prepared = await Promise.all(Array.from({ length: callerCount }, (_, position) => prepareCaller(position)));
  const callers = Promise.all(prepared.map(call));
  callers.catch(() => undefined);
  return {
    answers,
    async answered(count) {
      while (answers.length < count) await sleep(PAUSE_MS);
    },
    async stop() {
      stopped = true;
      await callers;
      return results;
    },
  };
}

/** Unacceptable responses: "503 UNAVAILABLE × 3" is fine, a 500 or a broken connection is not. */
export function describeUnclean(answers: readonly (FaultAnswer | null)[], slowestMs: number): string[] {
  return answers.flatMap((answer) => {
    if (answer === null) return ["a connection broke"];
    const { status, code, retryAfter, tookMs } = answer;
    if (tookMs > slowestMs) return [`${status} ${code} took ${Math.round(tookMs)} ms`];
    if (status < 300 || code === "IDEMPOTENCY_IN_PROGRESS") return [];
    return status === 503 && code === "UNAVAILABLE" && retryAfter !== null ? [] : [`${status} ${code}`];
  });
}
