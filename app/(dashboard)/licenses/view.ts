import type { LicenseView } from "#components/license/license-params.ts";
import { given } from "#components/ui/list-params.ts";
import { parseIpv4Range } from "#lib/domain/ipv4-range.ts";
import { parseTag } from "#lib/domain/labels.ts";
import { availableOrders, licenseOrders, parseCursor } from "#lib/domain/license-order.ts";
import type { LicenseFilter } from "#lib/services/license/list.ts";

export function filterOf(view: LicenseView): LicenseFilter {
  const { q, status, product, expires, address, bundle, instance, renewal, customer, tag } = view;
  return given({
    text: q,
    status,
    type: product,
    expiresWithinDays: expires,
    addresses: address === null ? null : parseIpv4Range(address),
    bundleId: bundle,
    bundleInstanceId: instance,
    renewal,
    customer,
    tag: tag === null ? null : parseTag(tag),
  });
}

/** The orders that the view can have, the one that it has, and where its page begins in that order. */
export function placeOf(view: LicenseView) {
  const orders = availableOrders(filterOf(view));
  const order = orders.find((known) => known === view.sort) ?? orders[0] ?? licenseOrders[0];
  const after = parseCursor(view.after ?? "", order);
  return { orders, order, after, before: after === null ? parseCursor(view.before ?? "", order) : null };
}
