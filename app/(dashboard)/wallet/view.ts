import { hrefOf, textOf } from "#app/search-params.ts";
import type { LedgerFiltersProps } from "#components/wallet/ledger-filters.tsx";
import { type LedgerKind, ledgerKinds } from "#components/wallet/ledger-kinds.ts";
import { parseLicenseId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { parseDay, startOfNextDay } from "#lib/domain/times.ts";
import type { LedgerFilter, LedgerPage } from "#lib/services/wallet/list-entries.ts";

/** What a wallet's page shows: all of it is in the address, so it can be shared and gone back to. */
export interface WalletView {
  readonly kind: LedgerKind | null;
  /** Days in UTC, `2027-01-31`; both included. */
  readonly from: string | null;
  readonly to: string | null;
  /** `lic_12`, `bundle 3` or the id of an operation. */
  readonly about: string | null;
  /** Whether the runway counts what does not renew by itself, too. */
  readonly runway: "all" | null;
  /** `before` leads to older entries, `after` back to newer ones. */
  readonly before: string | null;
  readonly after: string | null;
}

const ENTRY_ID = /^[1-9]\d{0,17}$/;
const MAX_ABOUT_LENGTH = 100;

/** What makes no sense is left out: an address typed by hand never fails. */
export function parseWalletView(query: Readonly<Record<string, string | string[] | undefined>>): WalletView {
  const before = entryId(textOf(query.before));
  return {
    kind: ledgerKinds.find((kind) => kind === textOf(query.kind)) ?? null,
    from: day(textOf(query.from)),
    to: day(textOf(query.to)),
    about: textOf(query.about)?.trim().slice(0, MAX_ABOUT_LENGTH) || null,
    runway: textOf(query.runway) === "all" ? "all" : null,
    before,
    after: before === null ? entryId(textOf(query.after)) : null,
  };
}

function entryId(text: string | null): string | null {
  return text !== null && ENTRY_ID.test(text) ? text : null;
}

function day(text: string | null): string | null {
  return text !== null && parseDay(text) !== null ? text : null;
}

/** The page with some of it changed; another filter begins at the newest entries. */
export function walletHref(pathname: string, view: WalletView, change: Partial<WalletView> = {}): string {
  return hrefOf(pathname, { ...view, before: null, after: null, ...change });
}

/** What the service is asked for. */
export function pageOf({ before, after }: WalletView) {
  return { before: before === null ? null : BigInt(before), after: after === null ? null : BigInt(after) };
}

export function filterOf({ kind, from, to, about }: WalletView): LedgerFilter {
  const lastDay = to === null ? null : parseDay(to);
  return {
    ...(kind === null ? {} : { kind }),
    ...(from === null ? {} : { from: new Date(`${from}T00:00:00Z`) }),
    ...(lastDay === null ? {} : { to: startOfNextDay(lastDay) }),
    ...(about === null ? {} : { about: parseSubject(about) ?? undefined }),
  };
}

function isFiltered({ kind, from, to, about }: WalletView): boolean {
  return kind !== null || from !== null || to !== null || about !== null;
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const bundlePattern = /^bundle[ _:#]?(\d{1,10})$/i;

/** Null: names nothing that entries could be about. */
function parseSubject(text: string): NonNullable<LedgerFilter["about"]> | null {
  if (uuidPattern.test(text)) return { kind: "operation", id: text };
  const bundle = bundlePattern.exec(text);
  if (bundle) {
    const id = parsePositiveInteger(bundle[1] ?? "");
    return id === null ? null : { kind: "bundle", id };
  }
  const licenseId = parseLicenseId(text);
  return licenseId === null ? null : { kind: "license", id: licenseId };
}

export function ledgerLinks(pathname: string, view: WalletView, { nextBefore, previousAfter }: LedgerPage) {
  return {
    nextHref: nextBefore === null ? null : walletHref(pathname, view, { before: nextBefore.toString() }),
    previousHref: previousAfter === null ? null : walletHref(pathname, view, { after: previousAfter.toString() }),
    newestHref: view.before === null ? null : walletHref(pathname, view),
    unfilteredHref: isFiltered(view)
      ? walletHref(pathname, view, { kind: null, from: null, to: null, about: null })
      : null,
  };
}

/** What the filters of the ledger show. */
export function ledgerFilters({ kind, from, to, about }: WalletView): LedgerFiltersProps {
  return {
    kind,
    from: from ?? "",
    to: to ?? "",
    about: about ?? "",
    aboutUnknown: about !== null && parseSubject(about) === null,
  };
}
