/**
 * Preloaded (`node --import`) into a server: at a named statement, kills the process or stops it like a paused virtual
 * machine. The crash point comes from the environment (`CRASH_AT=after:hold_operations:1`) or a message of the parent,
 * which can also request the names of statements.
 */
import pg from "pg";

/** `during`: the statement is on its way, and its response is lost. */
export type CrashMoment = "before" | "during" | "after";

export interface CrashPoint {
  readonly moment: CrashMoment;
  readonly statement: string;
  /** The nth statement of that name since the crash point was set, from 1. */
  readonly nth: number;
}

export interface CrashOrder {
  readonly crashAt: CrashPoint | null;
  /** It continues on SIGCONT. */
  readonly stop?: boolean;
}

/** Sent by the server before each statement. */
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

/** Counts this statement and returns whether it is the crash point. */
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
      // The pool passes a callback, which ends the statement.
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
