import type { z } from "zod";
import type { InCamelCase } from "#lib/domain/field-names.ts";
import { CUSTOMER_EMAIL_MAX_LENGTH } from "#lib/domain/labels.ts";
import { formatCursor, type LicenseCursor, parseCursor } from "#lib/domain/license-order.ts";
import { licenseStatuses } from "#lib/domain/license-status.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { type LicenseFilter, type LicenseListItem, listLicenses } from "#lib/services/license/list.ts";
import { parameter } from "./parameters.ts";

/** Of lists of licenses in both interfaces (contract 2.4). */
export const LIST_ORDER = "oldest";
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAX_EXPIRES_WITHIN_DAYS = 36_500;
const TEXT_MAX_LENGTH = 200;

/** Position of the next page, opaque to callers. */
const cursor = parameter.text(
  (text) => parseCursor(Buffer.from(text, "base64url").toString("latin1"), LIST_ORDER),
  "is not a valid cursor",
);

function toCursorText(after: LicenseCursor): string {
  return Buffer.from(formatCursor(after), "latin1").toString("base64url");
}

export const listParameters = {
  limit: parameter.integerUpTo(MAX_LIMIT).optional(),
  cursor: cursor.optional(),
  status: parameter.oneOf(licenseStatuses).optional(),
  type: parameter.limited(TEXT_MAX_LENGTH).optional(),
  ip_address: parameter.ipv4.optional(),
  license_key: parameter.licenseKey.optional(),
  external_id: parameter.externalId.optional(),
  customer: parameter.limited(CUSTOMER_EMAIL_MAX_LENGTH).optional(),
  tag: parameter.tag.optional(),
  q: parameter.limited(TEXT_MAX_LENGTH).optional(),
  expires_within: parameter.integerUpTo(MAX_EXPIRES_WITHIN_DAYS).optional(),
};

type ListParameters = Partial<InCamelCase<z.output<z.ZodObject<typeof listParameters>>>>;

export function toLicenseFilter(parameters: Omit<ListParameters, "limit" | "cursor">): LicenseFilter {
  const { licenseKey: key, q: text, customer, expiresWithin: expiresWithinDays, ...rest } = parameters;
  return { ...rest, key, text, customer: customer?.normalize("NFC"), expiresWithinDays };
}

/** A page of licenses, oldest first (contract 2.4). */
export async function listPage<Shown>(
  ctx: ServiceContext,
  { limit = DEFAULT_LIMIT, cursor, ...filter }: ListParameters,
  present: (license: LicenseListItem, now: Date) => Shown,
) {
  const input = { filter: toLicenseFilter(filter), order: LIST_ORDER, after: cursor ?? null, limit } as const;
  const page = await listLicenses(ctx, input);
  const now = ctx.now();
  return {
    licenses: page.rows.map((license) => present(license, now)),
    next_cursor: page.next && toCursorText(page.next),
  };
}
