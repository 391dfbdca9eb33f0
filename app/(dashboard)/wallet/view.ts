import { given, isFiltered } from "#components/ui/list-params.ts";
import { ledgerHref, type WalletView } from "#components/wallet/ledger-params.ts";
import { parseLicenseId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import type { LedgerFilter, LedgerPage } from "#lib/services/wallet/list-entries.ts";

/** What the service is asked for. */
export function pageOf({ before, after }: WalletView) {
  return {
    before: before === null ? null : BigInt(before),
    after: before !== null || after === null ? null : BigInt(after),
  };
}

export function filterOf({ kind, from, until, about }: WalletView): LedgerFilter {
  return given({
    kind,
    from: from === null ? null : new Date(from),
    to: until === null ? null : new Date(until),
    about: parseSubject(about ?? ""),
  });
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

export function ledgerLinks(pathname: string, view: WalletView, { next, previous, total }: LedgerPage) {
  const { before } = view;
  const hrefWith = (change: Partial<WalletView>) =>
    ledgerHref(pathname, { ...view, before: null, after: null, ...change });
  return {
    total,
    nextHref: next === null ? null : hrefWith({ before: next.toString() }),
    previousHref: previous === null ? null : hrefWith({ after: previous.toString() }),
    newestHref: before && hrefWith({}),
    filter: isFiltered({ ...view, runway: null }) && {
      view,
      clearHref: hrefWith({ kind: null, from: null, until: null, about: null }),
      title: "No entry matches",
      none: "Try another filter, or clear them all.",
    },
  };
}

export function isSubjectUnknown({ about }: WalletView): boolean {
  return about !== null && parseSubject(about) === null;
}
