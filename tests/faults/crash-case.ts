import { randomUUID } from "node:crypto";
import { sql } from "#tests/sql.ts";
import { findDifferences } from "./books.ts";
import { type FaultAnswer, post } from "./client.ts";
import type { CrashMoment, CrashPoint } from "./crash-at.ts";
import type { Desk } from "./desk.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { type DispatchRequest, expectedSuccesses, type Fault, faults, type VerbName, verbs } from "./verbs.ts";

/** Who comes first after the crash: the sweeper, a retry with the same idempotency key, or both at once. */
export const recoveries = ["sweeper first", "caller first", "both at once"] as const;
export type Recovery = (typeof recoveries)[number];

export interface CrashCase {
  readonly verb: VerbName;
  readonly fault: Fault;
  /** Null: the server dies after responding. */
  readonly point: CrashPoint | null;
  readonly recovery: Recovery;
}

export function nameOf({ verb, fault, point, recovery }: CrashCase): string {
  const where = point ? `${point.moment} ${point.statement} ${point.nth}` : "after the answer";
  return `${verb}, provider ${fault}, killed ${where}, ${recovery}`;
}

/** Servers that replace each other. The next one starts while the current one runs. */
export interface Servers {
  current(): Promise<ServerProcess>;
  /** Call it after killing the current server. */
  replace(): void;
  close(): Promise<void>;
}

export function createServers(options: Parameters<typeof startServer>[0]): Servers {
  let current = startServer(options);
  let next = startServer(options);
  return {
    current: () => current,
    replace() {
      current = next;
      next = startServer(options);
      next.catch(() => undefined);
    },
    async close() {
      for (const server of await Promise.allSettled([current, next])) {
        if (server.status === "fulfilled") await server.value.kill();
      }
    },
  };
}

const FUNDS = "500";
/** Statements that change nothing: dying before or after them is equivalent. */
const reads = /^(find|get|list|read|sandbox_books)_?/;
/** Written asynchronously. */
const aside = new Set([
  "insert_verifications",
  "insert_api_requests",
  "update_last_used",
  "begin_timeline",
  "renew_process_lease",
  "release_dead_processes",
]);
/** On a busy machine the provider can time out, and the request takes other steps than planned. */
const MAX_TRIES = 3;

/** Finds the crash points of a request by recording its statements. */
export async function findCrashPoints(
  desk: Desk,
  servers: Servers,
  verb: VerbName,
  fault: Fault,
  moments: readonly CrashMoment[],
): Promise<CrashPoint[]> {
  const { caller, request } = await prepare(desk, verb, fault);
  const server = await servers.current();
  const names = await server.recordStatements();
  await post(server.url, caller, request);
  // Later statements belong to another request.
  const seen = [...names];
  await desk.reconcile();
  await desk.clearRehearsed();
  const counts = new Map<string, number>();
  const points: CrashPoint[] = [];
  for (const statement of seen) {
    if (reads.test(statement) || aside.has(statement)) continue;
    const nth = (counts.get(statement) ?? 0) + 1;
    counts.set(statement, nth);
    points.push(...moments.map((moment) => ({ moment, statement, nth })));
  }
  return points;
}

async function prepare(desk: Desk, verb: VerbName, fault: Fault) {
  const buyer = await desk.newBuyer(FUNDS);
  const request: DispatchRequest = await verbs[verb].prepare(desk, buyer, faults[fault]);
  const { apiKey, actor } = await desk.newKey(buyer.resellerId);
  return { request, actor, caller: { apiKey, idempotencyKey: randomUUID() } };
}

/** Runs one case and returns its errors. A request that missed its crash point is sent again. */
export async function runCrashCase(desk: Desk, servers: Servers, crash: CrashCase): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    const { missed, wrong } = await tryCrashCase(desk, servers, crash);
    if (missed === null || wrong.length > 0) return wrong;
    if (tries === MAX_TRIES) return [`it was not killed, but answered ${missed}`];
  }
}

interface CrashOutcome {
  /** The response of a request that did not reach its crash point; null if it died there. */
  readonly missed: string | null;
  readonly wrong: string[];
}

async function tryCrashCase(desk: Desk, servers: Servers, crash: CrashCase): Promise<CrashOutcome> {
  const { caller, request, actor } = await prepare(desk, crash.verb, crash.fault);
  const doomed = await servers.current();
  if (crash.point) await doomed.crashAt(crash.point);
  const answer = await post(doomed.url, caller, request);
  const missed = crash.point && answer ? `${answer.status} ${answer.code}` : null;
  if (!crash.point || answer) await doomed.kill();
  await doomed.ended();
  servers.replace();

  await desk.releaseDead();
  const open = await desk.openOperations();
  const { url } = await servers.current();
  const repeat = () => post(url, caller, request);
  const wrong: string[] = [];
  const answers = await recover(desk, crash.recovery, repeat);
  await desk.reconcile();
  // Another sweeper claimed the operation before, and only now finishes.
  for (const operation of open) {
    await desk.reconcileLate(operation).catch((error) => wrong.push(`a sweeper that was held up failed: ${error}`));
  }
  answers.push(await repeat());
  await desk.reconcile();

  // A stored 202 counts even if it was lost: the key keeps that outcome (contract 1.11).
  let wasPending = answer?.status === 202 || keepsPending.has(crash.point?.statement ?? "");
  for (const given of answers) {
    wrong.push(...describeUnclean(given, crash.fault, wasPending));
    wasPending ||= given?.status === 202;
  }
  wrong.push(...(await findDifferences(desk.db)));
  const successes = await countSuccesses(desk, actor);
  const expected = expectedSuccesses(crash.verb, crash.fault);
  if (successes !== expected) wrong.push(`carried out and charged ${successes} times, not ${expected}`);
  await desk.clearRehearsed();
  return { missed, wrong };
}

async function recover(desk: Desk, recovery: Recovery, repeat: () => Promise<FaultAnswer | null>) {
  switch (recovery) {
    case "sweeper first":
      await desk.reconcile();
      return [await repeat()];
    case "caller first":
      return [await repeat()];
    case "both at once": {
      const [answer] = await Promise.all([repeat(), desk.reconcile()]);
      return [answer];
    }
    default:
      return recovery satisfies never;
  }
}

/** Steps after which the key keeps a pending outcome. */
export const keepsPending: ReadonlySet<string> = new Set(["mark_operation_unknown", "store_idempotent_answer"]);

/**
 * Responses that must not occur: none, a 500, or an error without cause.
 * @param wasPending the key was answered 202, so a request that never reached the provider is rejected
 */
export function describeUnclean(answer: FaultAnswer | null, fault: Fault, wasPending: boolean): string[] {
  if (answer === null) return ["no answer to the repeated request"];
  const { status, code } = answer;
  const isClean =
    status === 200 ||
    status === 202 ||
    (status === 409 && code === "IDEMPOTENCY_IN_PROGRESS") ||
    (status === 503 && code === "PROVIDER_UNAVAILABLE" && fault === "refusesConnection") ||
    (status === 400 && (wasPending || fault === "rejects" || fault === "rejectsLastMember"));
  return isClean ? [] : [`the repeated request was answered ${status} ${code}`];
}

async function countSuccesses(desk: Desk, actor: string): Promise<number> {
  const rows = await desk.db.query(sql("select from operations where actor = $1 and state = 'succeeded'"), [actor]);
  return rows.length;
}
