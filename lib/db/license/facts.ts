import { nullable, timestamp } from "#lib/db/connection/columns.ts";
import type { LicenseFacts } from "#lib/domain/license-status.ts";

export const licenseFacts = {
  terminatedAt: nullable(timestamp),
  provisionedAt: nullable(timestamp),
  suspendedAt: nullable(timestamp),
  expiresAt: timestamp,
} satisfies Record<keyof LicenseFacts, unknown>;
