import type { BatchLimits } from "#lib/db/connection/batch.ts";
import { isStatementTimeout, wasRolledBack } from "#lib/db/connection/errors.ts";

/** Requests that share every list walk in step: in a single list of all, one processor would be idle at any time. */
export const LONGEST_LIST = 12;

/** More than two at a time would only wait for each other's wallets. */
export const operationBatches: BatchLimits = {
  size: LONGEST_LIST,
  inFlight: 2,
  asksAgain: wasRolledBack,
  timedOut: isStatementTimeout,
};
