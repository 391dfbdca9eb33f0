import type { Database } from "#lib/db/connection/client.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import type { Scope } from "#lib/domain/scopes.ts";

export interface AnsweredRequest {
  readonly apiKeyId: ApiKeyId;
  readonly startedAt: Date;
  readonly method: string;
  /** Null: no endpoint was found or looked up. */
  readonly endpoint: { readonly name: string; readonly scope: Scope | null } | null;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
}

const MAX_DURATION_US = 2_147_483_647;
const TOO_MANY_REQUESTS = 429;

/** Adds a request to its key's log asynchronously (docs/decisions/0009). */
export function recordRequest(db: Database, request: AnsweredRequest): void {
  const { apiKeyId, startedAt, method, endpoint, status, durationMs, requestId } = request;
  const record = {
    apiKeyId,
    startedAt,
    method,
    operation: endpoint === null ? "" : endpoint.name,
    status,
    durationUs: Math.min(Math.round(durationMs * 1_000), MAX_DURATION_US),
    requestId,
  };
  if (isFrequent(request)) db.writeBehind.requests.count(record);
  else db.writeBehind.requests.add(record);
}

/** Successful responses to polling, and rate-limited requests. */
function isFrequent({ endpoint, status }: AnsweredRequest): boolean {
  return status === TOO_MANY_REQUESTS || (status === 200 && endpoint?.scope === "licenses:verify");
}
