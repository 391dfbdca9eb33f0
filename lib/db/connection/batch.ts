import { AsyncLocalStorage } from "node:async_hooks";

export interface BatchLimits {
  /** Questions in one call. Default: any number. */
  readonly size?: number;
  /** Calls at the same time; later questions wait for one to end, and then share the next. Default: any number. */
  readonly inFlight?: number;
  /** Whether the questions of a failed call are asked again, each alone. Default: its error rejects all of them. */
  readonly asksAgain?: (error: unknown) => boolean;
}

interface Asked<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Runs the call as part of the request that asked first: its trace, its log. */
  readonly runInContext: <Result>(call: () => Result) => Result;
}

/**
 * Collects all questions of one turn of the event loop into one statement, because a round trip costs several times a
 * look-up by key. Adds no delay: the statement leaves once the requests that have arrived are read.
 * @param answerAll answers in the order of the questions
 */
export function batchPerTurn<Question, Answer>(
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { size = Number.POSITIVE_INFINITY, inFlight = Number.POSITIVE_INFINITY, asksAgain = () => false }: BatchLimits = {},
): (question: Question) => Promise<Answer> {
  let queue: Asked<Question, Answer>[] = [];
  let running = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || queue.length === 0 || running >= inFlight) return;
    isScheduled = true;
    setImmediate(startCalls);
  }

  function startCalls(): void {
    isScheduled = false;
    while (running < inFlight && queue.length > 0) {
      const batch = queue.slice(0, size);
      queue = queue.slice(batch.length);
      running++;
      void batch[0]
        ?.runInContext(() => answer(batch))
        .finally(() => {
          running--;
          schedule();
        });
    }
  }

  async function answer(batch: readonly Asked<Question, Answer>[]): Promise<void> {
    try {
      const answers = await answerAll(batch.map(({ question }) => question));
      for (const [place, { resolve }] of batch.entries()) resolve(answers[place] as Answer);
    } catch (error) {
      if (batch.length > 1 && asksAgain(error)) await Promise.all(batch.map((asked) => answer([asked])));
      else for (const { reject } of batch) reject(error);
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      queue.push({ question, resolve, reject, runInContext: AsyncLocalStorage.snapshot() });
      schedule();
    });
}

/** A `batchPerTurn` for each database. */
export function batchPerDatabase<Client extends object, Question, Answer>(
  answerAll: (db: Client, questions: readonly Question[]) => Promise<readonly Answer[]>,
  limits?: BatchLimits,
): (db: Client, question: Question) => Promise<Answer> {
  const batches = new WeakMap<Client, (question: Question) => Promise<Answer>>();
  return (db, question) => {
    let ask = batches.get(db);
    if (!ask) {
      ask = batchPerTurn((questions) => answerAll(db, questions), limits);
      batches.set(db, ask);
    }
    return ask(question);
  };
}
