import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { unavailable } from "#lib/db/connection/errors.ts";
import { findReaderBy, type Reader } from "#lib/domain/format-locale.ts";
import { type TurnOwner, Turns } from "#lib/domain/turns.ts";

const RETRY_AFTER_SECONDS = "5";

interface PageRequest extends Reader {
  isUnavailable: boolean;
  readonly response: ServerResponse;
  turn: Promise<boolean> | null;
}

const KEY = Symbol.for("license-desk.page-requests");
const shared = globalThis as { [KEY]?: AsyncLocalStorage<PageRequest> };
/** One for each process: Next bundles its own copy of this module. */
shared[KEY] ??= new AsyncLocalStorage();
const requests = shared[KEY];
findReaderBy(() => requests.getStore());

/** Records that the current request failed because the database is unavailable. */
export function recordDatabaseFailure(): void {
  const request = requests.getStore();
  if (request) request.isUnavailable = true;
}

/** Next answers every failed page with 500. If the database was unavailable, the status is 503 with `Retry-After`. */
export function reportOutageStatus(response: ServerResponse, handle: () => void): void {
  const request: PageRequest = { isUnavailable: false, formatLocale: null, response, turn: null };
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (status !== 500 || !request.isUnavailable) return writeHead(status, ...rest);
    response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
    return writeHead(503, ...rest);
  };
  requests.run(request, handle);
}

export interface PageTurns {
  readonly turns: Turns;
  /** Longest turn. Pages end before; downloads and slow readers continue without a turn. */
  readonly atMostMs: number;
  /** How long a page may still render after its client has disconnected. */
  readonly afterAbortMs: number;
}

/**
 * Limits how many pages and actions of one reseller, or pages of one source's visitors, this process renders at once.
 * They share its processor with all other requests, which get slower with each.
 */
const pageTurns: PageTurns = {
  turns: new Turns({ slots: Number.POSITIVE_INFINITY, slotsOfOne: 8, patienceMs: 15_000 }),
  atMostMs: 5_000,
  afterAbortMs: 1_000,
};
/** Hardly wait for the database, so more of them at once take longer, and are not more a second. */
const visitorTurns: PageTurns = {
  turns: new Turns({ slots: Number.POSITIVE_INFINITY, slotsOfOne: 2, patienceMs: 15_000 }),
  atMostMs: 1_000,
  afterAbortMs: 100,
};

/**
 * Waits for the running request's turn, which ends with its response. Has no effect when called again in the same
 * request, or outside of one. Returns whether it had to wait: what was read before is then out of date.
 * @throws DomainError `unavailable` if no turn came
 */
export async function takePageTurn(
  owner: TurnOwner,
  pages = typeof owner === "string" ? visitorTurns : pageTurns,
): Promise<boolean> {
  const request = requests.getStore();
  if (!request) return false;
  request.turn ??= beginTurn(request, owner, pages);
  return request.turn;
}

function beginTurn(request: PageRequest, owner: TurnOwner, pages: PageTurns): Promise<boolean> {
  const { response } = request;
  let waits = false;
  return new Promise((resolve, reject) => {
    const refuse = () => {
      request.isUnavailable = true;
      reject(unavailable());
    };
    const holdTurn = async () => {
      resolve(waits);
      await endOfTurn(response, pages);
    };
    void pages.turns.take(owner, async () => ({ ended: await holdTurn() })).then((turn) => turn ?? refuse());
    // A free turn has begun by now.
    waits = true;
  });
}

function endOfTurn(response: ServerResponse, { atMostMs, afterAbortMs }: PageTurns): Promise<void> {
  return new Promise((resolve) => {
    // Its page is rendered nevertheless: Next logs an error for each that is not.
    const timer = setTimeout(resolve, response.destroyed ? afterAbortMs : atMostMs).unref();
    response.once("close", () => {
      clearTimeout(timer);
      setTimeout(resolve, response.writableFinished ? 0 : afterAbortMs).unref();
    });
  });
}
