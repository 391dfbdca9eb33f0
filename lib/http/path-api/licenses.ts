import { z } from "zod";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { formatCursor, type LicenseCursor, parseCursor } from "#lib/domain/license-order.ts";
import { deriveLicenseStatus, licenseStatuses } from "#lib/domain/license-status.ts";
import { toDay } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import type { LicenseListItem } from "#lib/services/license/list.ts";
import { listLicenses, streamLicenses } from "#lib/services/license/list.ts";

const OK = 200;
const ORDER = "oldest";
const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;
const MAX_EXPIRES_WITHIN_DAYS = 36_500;
const TEXT_MAX_LENGTH = 200;

/** Position of the next page, opaque to callers. */
const cursor = parameter.text(
  (text) => parseCursor(Buffer.from(text, "base64url").toString("latin1"), ORDER),
  "is not a valid cursor",
);

function toCursor(after: LicenseCursor): string {
  return Buffer.from(formatCursor(after), "latin1").toString("base64url");
}

const item = z.strictObject({
  id: field.licenseId,
  type: field.text,
  status: field.status,
  expires: field.day,
  server: field.text,
});

/** GET /licenses: all of them streamed, or one page (contract 2.4). */
export const licenseList = defineEndpoint({
  name: "licenses",
  method: "GET",
  scope: "licenses:read",
  parameters: z.object({
    limit: parameter.integerUpTo(MAX_LIMIT).optional(),
    cursor: cursor.optional(),
    status: z.enum(licenseStatuses, { error: `must be one of ${licenseStatuses.join(", ")}` }).optional(),
    type: parameter.limited(TEXT_MAX_LENGTH).optional(),
    ip_address: parameter.ipv4.optional(),
    q: parameter.limited(TEXT_MAX_LENGTH).optional(),
    expires_within: parameter.integerUpTo(MAX_EXPIRES_WITHIN_DAYS).optional(),
  }),
  responses: { [OK]: z.strictObject({ licenses: z.array(item), next_cursor: field.text.nullable().optional() }) },
  async handle(ctx, { limit, cursor, status, type, ip_address, q, expires_within }) {
    const filter = {
      ...(status === undefined ? {} : { status }),
      ...(type === undefined ? {} : { type }),
      ...(ip_address === undefined ? {} : { ipAddress: ip_address }),
      ...(q === undefined ? {} : { text: q }),
      ...(expires_within === undefined ? {} : { expiresWithinDays: expires_within }),
    };
    const now = ctx.now();
    if (limit === undefined && cursor === undefined) {
      const pages = streamLicenses(ctx, filter, ORDER);
      // Awaited so that a failure before the first line is an error response, not a broken stream.
      const first = await pages.next();
      return { status: OK, body: toJsonChunks(first, pages, now) };
    }
    const page = await listLicenses(ctx, {
      filter,
      order: ORDER,
      after: cursor ?? null,
      limit: limit ?? DEFAULT_LIMIT,
    });
    const next_cursor = page.nextAfter === null ? null : toCursor(page.nextAfter);
    return { status: OK, body: { licenses: page.licenses.map((license) => toItem(license, now)), next_cursor } };
  },
});

function toItem(license: LicenseListItem, now: Date) {
  return {
    id: formatLicenseId(license.id),
    type: license.type,
    status: deriveLicenseStatus(license, now),
    expires: toDay(license.expiresAt),
    server: license.hostname || license.ipAddress,
  };
}

type Pages = AsyncGenerator<readonly LicenseListItem[], void>;

async function* toJsonChunks(
  first: Awaited<ReturnType<Pages["next"]>>,
  rest: Pages,
  now: Date,
): AsyncGenerator<string, void> {
  yield '{"licenses":[';
  let separator = "";
  for (let page = first; !page.done; page = await rest.next()) {
    if (page.value.length === 0) continue;
    yield separator + page.value.map((license) => JSON.stringify(toItem(license, now))).join(",");
    separator = ",";
  }
  yield "]}";
}
