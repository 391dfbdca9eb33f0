import { setTimeout as sleep } from "node:timers/promises";
import { isUnavailable } from "./errors.ts";
import { withConnection } from "./with-connection.ts";

export interface WaitOptions {
  readonly databaseUrl: string;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly pollMs?: number;
}

const TIMEOUT_MS = 60_000;
const POLL_MS = 500;
const MS_PER_SECOND = 1_000;

/**
 * Waits for a database that is starting, as after a reboot of the machine.
 * @throws Error of one line if it does not respond in time, or refuses for a permanent reason
 */
export async function waitForDatabase(options: WaitOptions): Promise<void> {
  const { databaseUrl, log, signal, timeoutMs = TIMEOUT_MS, pollMs = POLL_MS } = options;
  const place = new URL(databaseUrl).host || "its local socket";
  const deadlineMs = performance.now() + timeoutMs;
  const limit = `${timeoutMs / MS_PER_SECOND} s`;
  for (let isFirst = true; ; isFirst = false) {
    const error: unknown = await withConnection(databaseUrl, async () => null, { name: "license-desk start" }).catch(
      (failure) => failure,
    );
    if (error === null) return;
    const reason = describe(error);
    if (!isUnavailable(error))
      throw new Error(`The database at ${place} refuses the connection: ${reason}.`, { cause: error });
    if (performance.now() >= deadlineMs) {
      throw new Error(
        `The database at ${place} did not answer within ${limit}: ${reason}. Check DATABASE_URL and that PostgreSQL runs ` +
          "there, then start again.",
        { cause: error },
      );
    }
    if (isFirst) log(`Waiting up to ${limit} for the database at ${place}: ${reason}.`);
    await sleep(pollMs, undefined, { signal });
  }
}

function describe(error: unknown): string {
  const { message, code } = error as { readonly message?: string; readonly code?: string };
  // A failed connection to several addresses has no message.
  if (!message) return code ?? "no connection";
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}
