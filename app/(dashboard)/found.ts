import { requestLogHref } from "#components/api-key/key-params.ts";
import { operationNames } from "#components/license/event-text.ts";
import { licenseListHref } from "#components/license/license-params.ts";
import { openHref } from "#components/reseller/reseller-params.ts";
import type { FoundItem } from "#components/shell/palette.ts";
import { searchHref } from "#components/ui/list-params.ts";
import { ledgerHref } from "#components/wallet/ledger-params.ts";
import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import type { FoundObject } from "#lib/services/search/search.ts";

interface Reader {
  readonly isAdmin: boolean;
  readonly seesWallet: boolean;
  readonly now: Date;
}

/** What a search found, as its reader gets there. */
export function presentFound(found: FoundObject, reader: Reader): FoundItem {
  const { label, resellerName } = found.object;
  const item = {
    kind: found.kind,
    href: hrefOf(found, reader),
    label: found.kind === "operation" ? operationNames[found.object.kind] : label,
    detail: [detailOf(found), ...(reader.isAdmin && resellerName ? [resellerName] : [])].join(" · "),
  };
  if (found.kind !== "license" && found.kind !== "bundle") return item;
  return { ...item, notes: found.object.notes, status: deriveLicenseStatus(found.object, reader.now) };
}

function detailOf({ kind, object }: FoundObject): string {
  switch (kind) {
    case "license":
      return `${formatLicenseId(Number(object.id) as LicenseId)} · ${withoutAddress(object)}`;
    case "bundle":
      return withoutAddress(object);
    case "operation":
      return [object.subjectLabel, object.state].filter(Boolean).join(" · ");
    default:
      return object.detail;
  }
}

/** The address comes first; a label ends with it if there is no host name. */
function withoutAddress({ label, detail }: { readonly label: string; readonly detail: string }): string {
  const [address = "", ...others] = detail.split(" · ");
  return label.endsWith(` ${address}`) ? others.join(" · ") : detail;
}

/** Its page; an admin gets to one that only the reseller has by acting as it. */
function hrefOf(found: FoundObject, { isAdmin, seesWallet }: Reader): string {
  const { id, resellerId } = found.object;
  const reseller = `/resellers/${resellerId}`;
  const own = (path: string) => (isAdmin && !path.startsWith("/licenses/") ? openHref(reseller, { open: path }) : path);
  switch (found.kind) {
    case "license":
      return `/licenses/${id}`;
    case "customer":
      return licenseListHref(`${isAdmin ? reseller : ""}/licenses`, { customer: id });
    case "bundle":
      return own(`/bundles/${id}`);
    case "reseller":
      return `/resellers/${id}`;
    case "user":
      return searchHref(isAdmin ? "/users" : "/settings/team", { q: id });
    case "apiKey":
      return `${isAdmin ? reseller : ""}/api-keys/${id}`;
    case "endpoint":
      return own(`/webhooks/${id}`);
    case "request":
      return requestLogHref(isAdmin ? `${reseller}/api-keys/${found.object.apiKeyId}` : "/developers/requests", {
        request: id,
      });
    case "event": {
      const log = "/webhooks/log";
      return own(found.object.hasDelivery ? `${log}/evt_${id}` : (subjectPath(found.object) ?? log));
    }
    case "operation": {
      const path = subjectPath(found.object);
      // A free one is in the history of its license only.
      if (path !== null && (!found.object.isBooked || !(isAdmin || seesWallet))) return own(path);
      return ledgerHref(isAdmin ? `${reseller}/wallet` : "/wallet", { about: id });
    }
    default:
      return found satisfies never;
  }
}

function subjectPath({
  licenseId,
  bundleInstanceId,
}: {
  readonly licenseId: number | null;
  readonly bundleInstanceId: number | null;
}): string | null {
  if (licenseId !== null) return `/licenses/${licenseId}`;
  return bundleInstanceId === null ? null : `/bundles/${bundleInstanceId}`;
}
