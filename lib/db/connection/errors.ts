import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import type { Currency } from "#lib/domain/money.ts";
import { insufficientBalance, spendingLimitReached } from "#lib/domain/refused-charge.ts";

/** SQLSTATEs of the functions in `prisma/sql/functions`, and of constraint violations that callers handle. */
export const sqlState = {
  busy: "LD001",
  insufficientBalance: "LD002",
  refundTooLarge: "LD003",
  caseChanged: "LD004",
  partlyHeld: "LD005",
  bundleMember: "LD006",
  keyClaimed: "LD007",
  amountChanged: "LD008",
  resellerSuspended: "LD010",
  mixedModes: "LD011",
  overspending: "LD012",
  foreignKeyViolation: "23503",
  uniqueViolation: "23505",
  exclusionViolation: "23P01",
  lockNotAvailable: "55P03",
} as const;

const RETRY_AFTER_SECONDS = 1;

/** Raised by a standby, by a primary during a failover, and in safe mode. */
export const READ_ONLY_SQL_STATE = "25006";
const READ_ONLY_RETRY_AFTER_SECONDS = 30;

/** Temporary: connection lost or refused, shutdown, too many connections, canceled, deadlock, timeout. */
const unavailableSqlState = /^(08...|53...|57P0.|57014|55P03|40P01|40001|25P03|55000)$/;
const unavailableSystemCode = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST)/;
const unavailablePrismaCode = /^(P1001|P1002|P1008|P1017|P2024|P2028|P2034)$/;
const unavailableMessage =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Cannot use a pool after calling end|Client has encountered a connection error/;

interface DatabaseErrorShape {
  code?: unknown;
  message?: unknown;
  detail?: unknown;
  cause?: unknown;
  constraint?: unknown;
  meta?: { driverAdapterError?: { cause?: { originalCode?: unknown; code?: unknown } } };
}

function shapeOf(error: unknown): DatabaseErrorShape {
  return typeof error === "object" && error !== null ? (error as DatabaseErrorShape) : {};
}

export function findSqlState(error: unknown): string | null {
  const { code, meta } = shapeOf(error);
  const original = meta?.driverAdapterError?.cause?.originalCode ?? meta?.driverAdapterError?.cause?.code;
  if (typeof original === "string") return original;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}

/** The violated constraint, or null. */
export function findConstraint(error: unknown): string | null {
  const { constraint } = shapeOf(error);
  return typeof constraint === "string" ? constraint : null;
}

/** Reads the error of `refuse_short_wallet`. */
export function readInsufficientBalance(error: unknown): DomainError {
  const detail = JSON.parse(String(shapeOf(error).detail)) as { price: string; missing: string; currency: Currency };
  return insufficientBalance(BigInt(detail.price), BigInt(detail.missing), detail.currency);
}

export function readOverspending(error: unknown): DomainError {
  const detail = JSON.parse(String(shapeOf(error).detail)) as Record<"limit" | "spent" | "price", string> & {
    currency: Currency;
  };
  const { limit, spent, price, currency } = detail;
  return spendingLimitReached({ limit: BigInt(limit), spent: BigInt(spent), price: BigInt(price) }, currency);
}

/** True for temporary failures: no connection, or a server that starts, stops, recovers or is full. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = shapeOf(error);
  const state = findSqlState(error);
  return (
    (state !== null && unavailableSqlState.test(state)) ||
    (typeof code === "string" && (unavailableSystemCode.test(code) || unavailablePrismaCode.test(code))) ||
    (typeof message === "string" && unavailableMessage.test(message))
  );
}

/**
 * The name of a failure in the log: SQLSTATE, system code or `timeout`, never a quote of a statement or secret. Null: a
 * retry does not help.
 */
export function outageKindOf(error: unknown): string | null {
  const state = findSqlState(error);
  if (state !== READ_ONLY_SQL_STATE && !isUnavailable(error)) return null;
  const { code, message } = shapeOf(error);
  if (state !== null) return state;
  if (typeof code === "string") return code;
  return /time/.test(String(message)) ? "timeout" : "connection_lost";
}

/** A deadlock, a timeout or any failure that is not an outage: the database has rolled the statement back. */
export function wasRolledBack(error: unknown): boolean {
  if (!isDomainError(error)) return findSqlState(error) !== null;
  return /^(40001|40P01|55P03|57014)$/.test(findSqlState(error.cause) ?? "");
}

/** The database ended the statement because it took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return isDomainError(error) && findSqlState(error.cause) === "57014";
}

export function unavailable(cause?: unknown): DomainError {
  return new DomainError("unavailable", "The service is temporarily unavailable. Try again.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** True if a change was rejected because the service is read-only. */
export function isReadOnlyRefusal(error: unknown): boolean {
  return isDomainError(error) && findSqlState(error.cause) === READ_ONLY_SQL_STATE;
}

/** Rethrows; temporary failures as `unavailable` (contract 2.7). */
export function translateDatabaseError(error: unknown): never {
  if (findSqlState(error) === READ_ONLY_SQL_STATE) {
    throw new DomainError(
      "unavailable",
      "Nothing can be changed at the moment: the service is read-only. Try again in a minute.",
      {
        retryAfterSeconds: READ_ONLY_RETRY_AFTER_SECONDS,
        cause: error,
      },
    );
  }
  throw isUnavailable(error) ? unavailable(error) : error;
}
