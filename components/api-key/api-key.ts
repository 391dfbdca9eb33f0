import type { LicenseId } from "#lib/domain/ids.ts";
import type { Scope } from "#lib/domain/scopes.ts";

/** `ending`: works, and ends within a week or because it was rotated. */
export type KeyState = "active" | "ending" | "expired" | "revoked";

export type SigningChoice = "none" | "optional" | "required";

/** A key without the key itself. */
export interface ApiKey {
  readonly apiKeyId: number;
  readonly name: string;
  /** First and last characters. */
  readonly hint: string;
  readonly scopes: readonly Scope[];
  /** Empty: any address. */
  readonly cidrs: readonly string[];
  /** The one license that it is bound to; null: all. */
  readonly licenseId: LicenseId | null;
  /** Of that license. */
  readonly productName: string | null;
  /** Of that license: host name, or address while none is known. */
  readonly server: string | null;
  readonly rateLimitPerMinute: number;
  readonly currency: string;
  /** Per calendar month (UTC), in minor units; null: no limit. */
  readonly spendingLimit: bigint | null;
  /** Of this month; null without a limit, and for those who do not see the wallet. */
  readonly spent: bigint | null;
  readonly signing: SigningChoice;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly lastUsedFrom: string | null;
  readonly createdAt: Date;
  /** The key that a rotation made in its place; null: not rotated. */
  readonly successorId: number | null;
}

export interface KeyDetails extends ApiKey {
  readonly href: string;
  readonly state: KeyState;
  readonly successorHref: string | null;
}

const ENDS_SOON_MS = 7 * 86_400_000;

/** `path`: of the list. */
export function keyHref(path: string, apiKeyId: number): string {
  return `${path}/${apiKeyId}`;
}

export function describeKey<Key extends ApiKey>(key: Key, path: string, now: Date): Key & KeyDetails {
  const { apiKeyId, successorId } = key;
  const successorHref = successorId === null ? null : keyHref(path, successorId);
  return { ...key, href: keyHref(path, apiKeyId), state: stateOf(key, now), successorHref };
}

function stateOf({ revokedAt, expiresAt, successorId }: ApiKey, now: Date): KeyState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "active";
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs <= 0) return "expired";
  return leftMs <= ENDS_SOON_MS || successorId !== null ? "ending" : "active";
}

/** What the form sends. */
export interface KeyInput {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** As typed; "": bound to none. */
  readonly license_id: string;
  /** As typed: separated by lines, commas or spaces. */
  readonly cidrs: string;
  readonly expires: string;
  /** With `expires` "on": the last day, `YYYY-MM-DD`, UTC. */
  readonly expires_at: string;
  readonly signing: SigningChoice;
  /** As typed; "" unless an admin says otherwise. */
  readonly rate_limit: string;
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

export interface KeyRef {
  readonly api_key_id: number;
}

export interface RotateInput extends KeyRef {
  readonly grace_hours: number;
}

export interface RateLimitInput extends KeyRef {
  /** As typed. */
  readonly rate_limit: string;
}

export interface SpendingLimitInput extends KeyRef {
  /** As typed; "": none. */
  readonly limit: string;
}

/** What a page that waits for a key's first request reads. */
export type NewestRequest = Pick<RequestRow, "method" | "operation" | "status">;

/** The busiest minute of a key. */
export interface KeyUsage {
  readonly apiKeyId: number;
  readonly name: string;
  readonly rateLimitPerMinute: number;
  /** When it began. */
  readonly minute: Date;
  readonly requestCount: number;
  /** Those beyond the limit. */
  readonly limitedCount: number;
}

/** One line of the request log: a request, or the equal ones of a minute. */
export interface RequestRow {
  readonly id: string;
  readonly apiKeyId: number;
  readonly keyName: string;
  /** Of a minute: when it began. */
  readonly startedAt: Date;
  readonly method: string;
  /** "" where none was found. */
  readonly operation: string;
  readonly status: number;
  readonly requestCount: number;
  readonly meanDurationUs: number;
  readonly maxDurationUs: number;
  /** Null: the line stands for a minute. */
  readonly requestId: string | null;
}
