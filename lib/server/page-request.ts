import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { findReaderBy, type Reader } from "#lib/domain/format-locale.ts";

const RETRY_AFTER_SECONDS = "5";

interface PageRequest extends Reader {
  databaseFailed: boolean;
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
  if (request) request.databaseFailed = true;
}

/** Next answers every failed page with 500. If the database was unavailable, the status is 503 with `Retry-After`. */
export function reportOutageStatus(response: ServerResponse, handle: () => void): void {
  const request: PageRequest = { databaseFailed: false, formatLocale: null };
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (status !== 500 || !request.databaseFailed) return writeHead(status, ...rest);
    response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
    return writeHead(503, ...rest);
  };
  requests.run(request, handle);
}
