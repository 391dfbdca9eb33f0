import type { BatchLimits } from "#lib/db/connection/batch.ts";
import { wasRolledBack } from "#lib/db/connection/errors.ts";

/** More than two at a time would only wait for each other's wallets. */
export const operationBatches: BatchLimits = { size: 32, inFlight: 2, asksAgain: wasRolledBack };
