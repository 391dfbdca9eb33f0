import { randomUUID } from "node:crypto";
import { sql } from "#tests/sql.ts";
import { findDifferences } from "./books.ts";
import { type FaultAnswer, post } from "./client.ts";
import type { CrashMoment, CrashPoint } from "./crash-at.ts";
import type { Desk } from "./desk.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { type DispatchRequest, expectedSuccesses, type Fault, faults, type VerbName, verbs } from "./verbs.ts";

/** Who comes first after the crash: the sweeper, the caller with the same idempotency key, or both at once. */
export const recoveries = ["sweeper first", "caller first", "both at once"] as const;
export type Recovery = (typeof recoveries)[number];

export interface CrashCase {
  readonly verb: VerbName;
  readonly fault: Fault;
  /** Null: the server dies when the caller has the answer. */
  readonly point: CrashPoint | null;
  readonly recovery: Recovery;
}

export function nameOf({ verb, fault, point, recovery }: CrashCase): string {
  const where = point ? `${point.moment} ${point.statement} ${point.nth}` : "after the answer";
  return `${verb}, provider ${fault}, killed ${where}, ${recovery}`;
}

/** Servers one after the other: each replaces one that was killed, and is started while that one still works. */
export interface Servers {
  current(): Promise<ServerProcess>;
  /** To be called when the current one was killed. */
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
/** Statements that change nothing, so that it is all one whether the process dies before or after them. */
const reads = /^(find|get|list|read|sandbox_books)_?/;
/** Written on the side, whenever it suits. */
const aside = new Set([
  "insert_verifications",
  "insert_api_requests",
  "update_last_used",
  "begin_timeline",
  "renew_process_lease",
  "release_dead_processes",
]);
/** A provider that a busy machine makes late is asked again, and the request comes by other steps than it was planned. */
const MAX_TRIES = 3;

/** Every step at which the request can be killed: it is sent once, undisturbed, and its statements are noted. */
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
  // It goes on telling: what follows is another request's.
  const seen = [...names];
  await desk.reconcile();
  await desk.vacateRehearsed();
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

/** Runs one case; returns what is wrong afterwards, one line each. A request that missed its crash is sent anew. */
export async function runCrashCase(desk: Desk, servers: Servers, crash: CrashCase): Promise<string[]> {
  for (let tries = 1; ; tries++) {
    const { missed, wrong } = await tryCrashCase(desk, servers, crash);
    if (missed === null || wrong.length > 0) return wrong;
    if (tries === MAX_TRIES) return [`it was not killed, but answered ${missed}`];
  }
}

interface CrashOutcome {
  /** The answer to a request that never came by the step at which it was to die; null when it died there. */
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

  await desk.buryTheDead();
  const open = await desk.openOperations();
  const { url } = await servers.current();
  const repeat = () => post(url, caller, request);
  const wrong: string[] = [];
  const answers = await recover(desk, crash.recovery, repeat);
  await desk.reconcile();
  // Another sweeper had taken the operation up before all this, and only now ends what it began.
  for (const operation of open) {
    await desk.reconcileLate(operation).catch((error) => wrong.push(`a sweeper that was held up failed: ${error}`));
  }
  answers.push(await repeat());
  await desk.reconcile();

  // A 202 that was stored counts as given, whether it arrived or not: the key keeps that outcome (contract 1.11).
  let wasPending = answer?.status === 202 || keepsPending.has(crash.point?.statement ?? "");
  for (const given of answers) {
    wrong.push(...describeUnclean(given, crash.fault, wasPending));
    wasPending ||= given?.status === 202;
  }
  wrong.push(...(await findDifferences(desk.db)));
  const successes = await countSuccesses(desk, actor);
  const expected = expectedSuccesses(crash.verb, crash.fault);
  if (successes !== expected) wrong.push(`carried out and charged ${successes} times, not ${expected}`);
  await desk.vacateRehearsed();
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

/** The steps after which a pending outcome is kept under the request's key. */
export const keepsPending: ReadonlySet<string> = new Set(["mark_operation_unknown", "store_idempotent_answer"]);

/**
 * An answer that nobody may get: none at all, a 500, or a refusal for a reason that is not there.
 * @param wasPending the key was answered 202 before: a request that the provider never got is then rejected
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
