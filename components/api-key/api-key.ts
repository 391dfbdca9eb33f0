import type { ApiKeySummary } from "#lib/services/api-key/list.ts";
import type { ApiRequestRow } from "#lib/services/api-key/list-requests.ts";

/** `ending`: works, and ends within a week or because it was rotated. */
export type KeyState = "active" | "ending" | "expired" | "revoked";

export type SigningChoice = ApiKeySummary["signing"];

export interface KeyDetails extends ApiKeySummary {
  readonly href: string;
  readonly state: KeyState;
  readonly successorHref: string | null;
}

const ENDS_SOON_MS = 7 * 86_400_000;

/** `path`: of the list. */
export function keyHref(path: string, apiKeyId: number): string {
  return `${path}/${apiKeyId}`;
}

export function describeKey<Key extends ApiKeySummary>(key: Key, path: string, now: Date): Key & KeyDetails {
  const { apiKeyId, successorId } = key;
  const successorHref = successorId === null ? null : keyHref(path, successorId);
  return { ...key, href: keyHref(path, apiKeyId), state: stateOf(key, now), successorHref };
}

function stateOf({ revokedAt, expiresAt, successorId }: ApiKeySummary, now: Date): KeyState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return "expired";
  return leftMs <= ENDS_SOON_MS || successorId !== null ? "ending" : "active";
}

/** The one look at a key. `apiKey` null: the first answer was lost, and the key with it. */
export interface KeyShown {
  readonly href: string;
  readonly apiKey: string | null;
  /** Null also where the key has none. */
  readonly signingSecret: string | null;
}

export interface KeyCreated extends KeyShown {
  readonly apiKeyId: number;
  readonly name: string;
  readonly signing: SigningChoice;
}

/** What installs the agent with the new keys. */
export interface AgentKeysCreated {
  /** Null: the first answer was lost, and the keys with it. */
  readonly line: string | null;
}

/** What installs the agents on the servers of a job. */
export interface CommandsCreated {
  /** Null: the first answer was lost, and the keys with it. */
  readonly commands: readonly ServerCommand[] | null;
}

export interface ServerCommand {
  readonly address: string;
  /** What is licensed there. */
  readonly product: string;
  readonly line: string;
}

export interface KeyRotated extends KeyShown {
  /** Until then the old key works too. ISO 8601, UTC. */
  readonly oldExpiresAt: string;
}

/** What a page that waits for a key's first request reads. */
export type NewestRequest = Pick<ApiRequestRow, "method" | "operation" | "status">;
