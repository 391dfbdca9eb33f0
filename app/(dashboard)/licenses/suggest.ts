import { statusNames } from "#components/license/license-filter.ts";
import type { Suggestion } from "#components/ui/suggestions.tsx";
import { formatLicenseId, parseLicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import {
  type LicenseFilter,
  type LicenseListInput,
  type LicenseListItem,
  listLicenses,
} from "#lib/services/license/list.ts";

const MAX_SUGGESTED = 8;
/** Those with the id come first among those that begin with its digits; other words may match, too. */
const MAX_NAMED = 50;

/** The license with the id that is searched for: it comes first, whatever else begins with these digits. */
export async function findNamed(
  list: (input: LicenseListInput) => ReturnType<typeof listLicenses>,
  filter: LicenseFilter,
): Promise<readonly LicenseListItem[]> {
  const licenseId = parseLicenseId(filter.text?.toLowerCase() ?? "");
  if (licenseId === null) return [];
  const named = { ...filter, text: formatLicenseId(licenseId) };
  const { rows: licenses } = await list({ filter: named, order: "oldest", after: null, limit: MAX_NAMED });
  return licenses.filter(({ id }) => id === licenseId);
}

/** For a choice: the reseller's newest licenses with this text; first the one that is named by its id. */
export async function suggestLicenses(ctx: ServiceContext, text: string): Promise<readonly Suggestion[]> {
  const filter = text === "" ? {} : { text };
  const [named, { rows: licenses }] = await Promise.all([
    findNamed((input) => listLicenses(ctx, input), filter),
    listLicenses(ctx, { filter, order: "newest", after: null, limit: MAX_SUGGESTED }),
  ]);
  const others = licenses.filter(({ id }) => id !== named[0]?.id);
  return [...named, ...others].slice(0, MAX_SUGGESTED).map((license) => toSuggestion(license, ctx.now()));
}

/** The license with this id, as it is suggested; null if it is none of the reseller's. */
export async function describeNamed(ctx: ServiceContext, text: string): Promise<Suggestion | null> {
  const [license] = await findNamed((input) => listLicenses(ctx, input), { text });
  return license ? toSuggestion(license, ctx.now()) : null;
}

function toSuggestion(license: LicenseListItem, now: Date): Suggestion {
  const { id, productName, ipAddress, hostname, customerName } = license;
  const details = [formatLicenseId(id), statusNames[deriveLicenseStatus(license, now)], hostname, customerName];
  return { id, title: `${productName} · ${ipAddress}`, detail: details.filter(Boolean).join(" · ") };
}
