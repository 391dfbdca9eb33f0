import { createLoader, createSerializer, type inferParserType, parseAsStringLiteral } from "nuqs/server";
import { parseAsLongId, parseAsText, timeParams } from "#components/ui/list-params.ts";
import { parseDay } from "#lib/domain/times.ts";
import { ledgerKinds } from "./ledger-kinds.ts";

/** Of a statement: days in UTC, `2027-01-31`; both included. */
const periodParams = {
  from: parseAsText((text) => parseDay(text) !== null),
  to: parseAsText((text) => parseDay(text) !== null),
};

export const loadPeriod = createLoader(periodParams);
export const periodHref = createSerializer(periodParams);

/** A wallet's page in its URL. */
export const ledgerParams = {
  kind: parseAsStringLiteral(ledgerKinds),
  from: timeParams.from,
  until: timeParams.until,
  /** `lic_12`, `bundle 3` or the id of an operation. */
  about: parseAsText(),
  /** Whether the runway also counts what does not renew automatically. */
  runway: parseAsStringLiteral(["all"]),
  /** `before` leads to older entries, `after` back to newer ones. */
  before: parseAsLongId,
  after: parseAsLongId,
};

export const loadLedgerParams = createLoader(ledgerParams);
export const ledgerHref = createSerializer(ledgerParams);
export type WalletView = inferParserType<typeof ledgerParams>;
