import { type BatchLimits, Procession } from "#lib/db/connection/batch.ts";
import { isStatementTimeout, wasRolledBack } from "#lib/db/connection/errors.ts";

/** Bounds how long a list takes, for the sake of those in it that are refused or have to wait. */
export const LONGEST_LIST = 32;

/** Requests on their way from a hold to its settlement, but for those at a real provider. */
export const operations = new Procession(8);

/** More than two at a time would only wait for each other's wallets. */
export const operationBatches: BatchLimits = {
  size: LONGEST_LIST,
  procession: operations,
  inFlight: 2,
  asksAgain: wasRolledBack,
  timedOut: isStatementTimeout,
};
