import { ipv4Number } from "./ipv4.ts";
import { ipv4FromNumber } from "./ipv4-range.ts";

/** Orders of the license list; each has an index (decision 12). */
export const licenseOrders = ["newest", "oldest", "ends_first", "ends_last", "address", "address_last"] as const;

export type LicenseOrder = (typeof licenseOrders)[number];

/** A position in an ordered list, next to the license with this key and id. */
export interface LicenseCursor {
  readonly id: number;
  /** Sort key: epoch milliseconds, or the address as a number. Null when sorting by id. */
  readonly key: number | null;
}

interface Placed {
  readonly id: number;
  readonly expiresAt: Date;
  readonly ipAddress: string;
}

export function toCursor(license: Placed, order: LicenseOrder): LicenseCursor {
  switch (order) {
    case "newest":
    case "oldest":
      return { id: license.id, key: null };
    case "ends_first":
    case "ends_last":
      return { id: license.id, key: license.expiresAt.getTime() };
    case "address":
    case "address_last":
      return { id: license.id, key: ipv4Number(license.ipAddress) };
    default:
      return order satisfies never;
  }
}

/** `1805068800000.12`, or `12` when sorting by id. */
export function formatCursor({ id, key }: LicenseCursor): string {
  return key === null ? String(id) : `${key}.${id}`;
}

const MAX_ID = 2_147_483_647;
/** The last day of the year 9999. */
const MAX_TIME_MS = 253_402_214_400_000;
const cursorPattern = /^(?:(?<key>0|[1-9]\d{0,14})\.)?(?<id>[1-9]\d{0,9})$/;

/** Null unless `formatCursor` can produce the text for this order. */
export function parseCursor(text: string, order: LicenseOrder): LicenseCursor | null {
  const { key, id } = cursorPattern.exec(text)?.groups ?? {};
  if (id === undefined || Number(id) > MAX_ID) return null;
  const byId = order === "newest" || order === "oldest";
  if (byId) return key === undefined ? { id: Number(id), key: null } : null;
  if (key === undefined) return null;
  const byAddress = order === "address" || order === "address_last";
  const valid = byAddress ? ipv4FromNumber(Number(key)) !== null : Number(key) <= MAX_TIME_MS;
  return valid ? { id: Number(id), key: Number(key) } : null;
}

/** The part of a filter that decides the available orders. */
interface OrderedFilter {
  readonly status?: string;
  readonly text?: string;
  readonly customer?: string;
  readonly tag?: string;
  readonly expiresWithinDays?: number;
  readonly addresses?: unknown;
}

/**
 * Orders available for a filter, its default first: those whose page cost does not depend on the number of licenses
 * (decision 12). Expired licenses gather at the old end, where a walk by id would first pass all others.
 */
export function availableOrders(filter: OrderedFilter): readonly LicenseOrder[] {
  if (filter.expiresWithinDays !== undefined) return ["ends_first", "ends_last"];
  if (filter.status === "expired") return ["ends_last", "ends_first"];
  // Licenses of a network are adjacent only in address order.
  if (filter.addresses !== undefined) return ["address", "address_last"];
  if ((filter.text ?? filter.customer ?? filter.tag) !== undefined)
    return ["newest", "oldest", "ends_first", "ends_last"];
  return filter.status === "active" ? licenseOrders.filter((order) => order !== "oldest") : licenseOrders;
}
