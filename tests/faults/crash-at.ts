/**
 * Preloaded (`node --import`) into a server that faults are tried on: at a named statement it ends the process as a power
 * cut would, or stops it as a paused virtual machine is stopped. The program under test knows nothing of it. Where to crash comes from the environment
 * (`CRASH_AT=after:hold_operation:1`) or, once the server runs, in a message of the process that started it; the same
 * message asks for the names of the statements that pass.
 */
import pg from "pg";

/** `during`: the statement is on its way to the database, and nobody waits for its answer. */
export type CrashMoment = "before" | "during" | "after";

export interface CrashPoint {
  readonly moment: CrashMoment;
  /** The statement's name. */
  readonly statement: string;
  /** Which of the statements of that name since it was told, from 1. */
  readonly nth: number;
}

export interface CrashOrder {
  readonly crashAt: CrashPoint | null;
  /** It goes on when it gets SIGCONT. */
  readonly stop?: boolean;
}

/** What the server tells: a statement of this name is about to be sent. */
export interface StatementSeen {
  readonly statement: string;
}

let crashAt: CrashPoint | null = null;
let signal: "SIGKILL" | "SIGSTOP" = "SIGKILL";
let reporting = false;
let seen = 0;

function readPoint(text: string | undefined): CrashPoint | null {
  if (!text) return null;
  const [moment, statement, nth] = text.split(":");
  return { moment: moment as CrashMoment, statement: String(statement), nth: Number(nth) };
}

function die(): void {
  process.kill(process.pid, signal);
}

/** Whether this statement is the one, counting it. */
function isDue(name: string): boolean {
  if (crashAt?.statement !== name) return false;
  seen += 1;
  return seen === crashAt.nth;
}

crashAt = readPoint(process.env.CRASH_AT);
process.on("message", (order: CrashOrder) => {
  reporting = order.crashAt === null;
  crashAt = order.crashAt;
  signal = order.stop ? "SIGSTOP" : "SIGKILL";
  seen = 0;
  process.send?.({ armed: true });
});

type AnyQuery = (...args: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: AnyQuery };
const passOn = client.query;

client.query = function query(this: unknown, ...args: unknown[]): unknown {
  const name = (args[0] as { name?: unknown } | undefined)?.name;
  if (typeof name !== "string") return passOn.apply(this, args);
  if (reporting) process.send?.({ statement: name } satisfies StatementSeen);
  if (!isDue(name)) return passOn.apply(this, args);
  switch (crashAt?.moment) {
    case "before":
      die();
      return signal === "SIGSTOP" ? passOn.apply(this, args) : new Promise(() => undefined);
    case "during":
      setImmediate(die);
      return passOn.apply(this, args);
    default: {
      // The pool passes a callback; its answer is the moment at which the statement is done.
      const last = args.length - 1;
      const answered = args[last] as AnyQuery;
      args[last] = (...answer: unknown[]) => {
        die();
        return answered(...answer);
      };
      return passOn.apply(this, args);
    }
  }
};
