import type { Scope } from "#lib/domain/scopes.ts";

/** `ending`: works, and ends within a week or because it was rotated. */
export type KeyState = "active" | "ending" | "expired" | "revoked";

export type SigningChoice = "none" | "optional" | "required";

/** One key as lists and its page show it. Times: ISO 8601, UTC. */
export interface KeyDetails {
  readonly apiKeyId: number;
  readonly href: string;
  readonly name: string;
  /** First and last characters. */
  readonly hint: string;
  readonly state: KeyState;
  readonly scopes: readonly Scope[];
  /** Empty: any address. */
  readonly cidrs: readonly string[];
  readonly rateLimitPerMinute: number;
  readonly signing: SigningChoice;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  /** Of the key that a rotation made in its place; null: not rotated. */
  readonly successorHref: string | null;
}

/** What the form sends. */
export interface KeyInput {
  readonly name: string;
  readonly scopes: readonly Scope[];
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

/** One line of a key's log: a request, or the equal ones of a minute. */
export interface RequestRow {
  readonly id: string;
  /** ISO 8601, UTC; of a minute: when it began. */
  readonly at: string;
  readonly method: string;
  /** "" where none was found. */
  readonly operation: string;
  readonly status: number;
  readonly count: number;
  readonly meanUs: number;
  readonly maxUs: number;
  /** Null: the line stands for a minute. */
  readonly requestId: string | null;
}
