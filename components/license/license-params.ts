import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsNumberLiteral,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import { parseAsId, parseAsText } from "#components/ui/list-params.ts";
import { parseIpv4Range } from "#lib/domain/ipv4-range.ts";
import { parseTag } from "#lib/domain/labels.ts";
import { licenseOrders } from "#lib/domain/license-order.ts";
import { licenseStatuses } from "#lib/domain/license-status.ts";
import { expiryDays, renewals } from "./license-filter.ts";

/** The list of licenses in its URL. */
export const licenseParams = {
  q: parseAsText(),
  status: parseAsStringLiteral(licenseStatuses),
  /** The product's type slug. */
  product: parseAsText(),
  /** Only what ends within so many days. */
  expires: parseAsNumberLiteral(expiryDays),
  /** An address, a network, or its first octets: `203.0.113.*`. */
  address: parseAsText((text) => parseIpv4Range(text) !== null),
  /** The id of a bundle on sale. */
  bundle: parseAsId,
  /** The id of one bundle that was bought. */
  instance: parseAsId,
  renewal: parseAsStringLiteral(renewals),
  /** The whole name, email address or reference of a customer. */
  customer: parseAsText(),
  tag: parseAsText((text) => Boolean(parseTag(text))),
  /** For admins: the id of a reseller. */
  reseller: parseAsId,
  /** Null: the filter's own order. */
  sort: parseAsStringLiteral(licenseOrders),
  /** Cursors, which depend on the order. */
  after: parseAsString,
  before: parseAsString,
};

export const loadLicenseParams = createLoader(licenseParams);
export const licenseListHref = createSerializer(licenseParams);
export type LicenseView = inferParserType<typeof licenseParams>;
