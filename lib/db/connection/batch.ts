import { AsyncLocalStorage } from "node:async_hooks";
import { isTracing } from "#lib/domain/trace.ts";
import type { Database } from "./client.ts";
import { unavailable } from "./errors.ts";

export interface BatchLimits<Question = unknown> {
  /** Questions in one call. Default: any number. */
  readonly size?: number;
  /**
   * Passes this batch and others in turn: a call takes half of it, or its fewest. While another call is under way, a
   * list is held back until it is half of it. Default: neither.
   */
  readonly procession?: Procession;
  /** Calls at the same time; later questions wait for one to end, and then share the next. Default: any number. */
  readonly inFlight?: number;
  /**
   * Whether the questions of a failed call are asked again, each alone, besides the calls in flight. Default: its error
   * rejects all of them.
   */
  readonly asksAgain?: (error: unknown) => boolean;
  /** Whether a call took too long: late questions are then asked again, too, because one may have held up the others. */
  readonly timedOut?: (error: unknown) => boolean;
  /** Names a question that may be asked for ever: once it has timed out alone, it is asked alone, besides all others. */
  readonly keyOf?: (question: Question) => string;
  /** A question that has waited this long is neither asked nor asked again, but rejected soon. Default: 5 s. */
  readonly patienceMs?: number;
}

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly askedAtMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Runs the call as part of the trace of the request that asked first. */
  readonly runInContext: <Result>(call: () => Result) => Result;
}

/** How much of the longest procession is remembered from one list to the next. */
const REMEMBERED = 0.98;

/**
 * Requests that pass a batch again and again, or several one after the other. Those that share a list get its answer at
 * the same time, and so share the next list, too: in a single list, all would walk in step, and one processor would be
 * idle at any time. In halves, one is answered while the other is asked.
 */
export class Procession {
  readonly #fewest: number;
  #waiting = 0;
  #recent = 0;

  /** @param fewest requests that are worth a list of their own */
  constructor(fewest: number) {
    this.#fewest = fewest;
  }

  enter(): void {
    this.#waiting++;
    this.#recent = Math.max(this.#recent, this.#waiting);
  }

  leave(): void {
    this.#waiting--;
  }

  /** Half of the most that have waited lately: between two batches, a request waits in neither. */
  longestList(): number {
    return Math.max(this.#fewest, Math.ceil(this.#recent / 2));
  }

  /** The smaller half of an odd number, since both are to be asked at the same time. */
  shortestList(): number {
    return Math.floor(Math.ceil(this.#recent) / 2);
  }

  /** To be called for each list. */
  forget(): void {
    this.#recent = Math.max(this.#waiting, this.#recent * REMEMBERED);
  }
}

/** How long a question is held back at most, for more to share its call. */
const HELD_BACK_MS = 10;
/** As long as a statement waits for a connection. */
const PATIENCE_MS = 5_000;
/** How often within it late questions are rejected. */
const PATIENCE_CHECKS = 5;

const runHere = <Result>(call: () => Result): Result => call();

/**
 * Collects all questions of one turn of the event loop into one statement, because a round trip costs several times a
 * look-up by key. Adds no delay unless told so: the statement leaves once the requests that have arrived are read.
 * @param answerAll answers in the order of the questions
 */
export function batchPerTurn<Question, Answer>(
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  {
    size = Infinity,
    procession,
    inFlight = Infinity,
    asksAgain = () => false,
    timedOut = () => false,
    keyOf,
    patienceMs = PATIENCE_MS,
  }: BatchLimits<Question> = {},
): (question: Question) => Promise<Answer> {
  let queue: Asked<Question, Answer>[] = [];
  let running = 0;
  let isScheduled = false;
  const slow = new Set<string>();
  const askSlow = keyOf && batchPerTurn(answerAll, { size: 1, inFlight: 1, patienceMs });

  function schedule(): void {
    if (isScheduled || queue.length === 0) return;
    const waitMs = heldBackForMs();
    if (running >= inFlight) rejectLater(patienceMs / PATIENCE_CHECKS);
    else if (waitMs > 0) startHeldBack(waitMs);
    else {
      isScheduled = true;
      setImmediate(startCalls);
    }
  }

  // A call that hangs holds up nobody beyond their patience, and while there is room for another, hardly.
  const [rejectLater, startHeldBack] = [lookAgain(), lookAgain()];

  function lookAgain(): (afterMs: number) => void {
    let isComing = false;
    return (afterMs) => {
      if (isComing) return;
      isComing = true;
      setTimeout(() => {
        isComing = false;
        rejectLate();
        schedule();
      }, afterMs).unref();
    };
  }

  /** A list of one or two beside a long one costs as much, and the long one only grows. 0: it leaves now. */
  function heldBackForMs(): number {
    if (!procession || !queue[0] || running === 0) return 0;
    if (queue.length >= Math.min(size, procession.shortestList())) return 0;
    return Math.max(0, queue[0].askedAtMs + HELD_BACK_MS - performance.now());
  }

  function rejectLate(): void {
    while (queue[0] && isLate(queue[0])) queue.shift()?.reject(unavailable());
  }

  function startCalls(): void {
    isScheduled = false;
    rejectLate();
    while (running < inFlight && queue.length > 0 && heldBackForMs() === 0) {
      const batch = queue.slice(0, Math.min(size, procession?.longestList() ?? size));
      queue = queue.slice(batch.length);
      procession?.forget();
      running++;
      void batch[0]
        ?.runInContext(() => answer(batch))
        .finally(() => {
          running--;
          schedule();
        });
    }
    schedule();
  }

  function isLate({ askedAtMs }: Asked<Question, Answer>): boolean {
    return performance.now() - askedAtMs > patienceMs;
  }

  /** Ends with the call: questions that are asked again hold nobody up. */
  async function answer(batch: readonly Asked<Question, Answer>[]): Promise<void> {
    try {
      const answers = await answerAll(batch.map(({ question }) => question));
      for (const [place, { resolve }] of batch.entries()) resolve(answers[place] as Answer);
    } catch (error) {
      const isTimeout = timedOut(error);
      if (isTimeout && keyOf && batch.length === 1 && batch[0]) slow.add(keyOf(batch[0].question));
      const isAskedAgain = batch.length > 1 && asksAgain(error);
      for (const asked of batch) {
        if (isAskedAgain && (isTimeout || !isLate(asked))) void asked.runInContext(() => answer([asked]));
        else asked.reject(error);
      }
    }
  }

  return async (question) => {
    const key = keyOf?.(question);
    if (askSlow && key !== undefined && slow.has(key)) {
      const answer = await askSlow(question);
      slow.delete(key);
      return answer;
    }
    const answered = new Promise<Answer>((resolve, reject) => {
      queue.push({
        question,
        askedAtMs: performance.now(),
        resolve,
        reject,
        runInContext: isTracing() ? AsyncLocalStorage.snapshot() : runHere,
      });
      schedule();
    });
    if (!procession) return answered;
    procession.enter();
    return answered.finally(() => procession.leave());
  };
}

/** Caches and batches belong to this one. Its statements wait for no turn (`inTurn`). */
export function sharedDatabase<Client extends Pick<Database, "shared">>(db: Client): Client | Database {
  return db.shared?.() ?? db;
}

/** A `batchPerTurn` for each database. */
export function batchPerDatabase<Client extends Pick<Database, "query" | "shared">, Question, Answer>(
  answerAll: (db: Client | Database, questions: readonly Question[]) => Promise<readonly Answer[]>,
  limits?: BatchLimits<Question>,
): (db: Client, question: Question) => Promise<Answer> {
  const batches = new WeakMap<object, (question: Question) => Promise<Answer>>();
  return (db, question) => {
    const shared = sharedDatabase(db);
    let ask = batches.get(shared);
    if (!ask) {
      ask = batchPerTurn((questions) => answerAll(shared, questions), limits);
      batches.set(shared, ask);
    }
    return ask(question);
  };
}
