import type { KeyDetails, KeyState, RequestRow } from "#components/api-key/api-key.ts";
import type { ApiKeySummary } from "#lib/services/api-key/list.ts";
import type { ApiRequestRow } from "#lib/services/api-key/list-requests.ts";

const ENDS_SOON_MS = 7 * 86_400_000;

/** @param path of the list */
export function keyHref(path: string, apiKeyId: number): string {
  return `${path}/${apiKeyId}`;
}

export function presentKey(key: ApiKeySummary, path: string, now: Date): KeyDetails {
  const { resellerId: _, expiresAt, revokedAt, lastUsedAt, createdAt, successorId, ...rest } = key;
  return {
    ...rest,
    href: keyHref(path, key.apiKeyId),
    state: stateOf(key, now),
    expiresAt: isoOf(expiresAt),
    revokedAt: isoOf(revokedAt),
    lastUsedAt: isoOf(lastUsedAt),
    createdAt: createdAt.toISOString(),
    successorHref: successorId === null ? null : keyHref(path, successorId),
  };
}

export function presentRequest(row: ApiRequestRow): RequestRow {
  return {
    id: row.id,
    at: row.startedAt.toISOString(),
    method: row.method,
    operation: row.operation,
    status: row.status,
    count: row.requestCount,
    meanUs: row.meanDurationUs,
    maxUs: row.maxDurationUs,
    requestId: row.requestId,
  };
}

function stateOf({ revokedAt, expiresAt, successorId }: ApiKeySummary, now: Date): KeyState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return "expired";
  return leftMs <= ENDS_SOON_MS || successorId !== null ? "ending" : "active";
}

function isoOf(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
