import { z } from "zod";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { toDay } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { optionalLabelFields, presentSetLabels } from "#lib/http/license-labels.ts";
import { LIST_ORDER, listPage, listParameters, toLicenseFilter } from "#lib/http/license-list.ts";
import { type LicenseListItem, streamLicenses } from "#lib/services/license/list.ts";
import { ok } from "./present.ts";

const item = z.strictObject({
  id: field.licenseId,
  type: field.text,
  status: field.status,
  expires: field.day,
  server: field.text,
  ...optionalLabelFields,
});

/** GET /licenses: all of them streamed, or one page (contract 2.4). */
export const licenseList = defineEndpoint({
  name: "licenses",
  method: "GET",
  scope: "licenses:read",
  parameters: z.object(listParameters),
  responses: { 200: z.strictObject({ licenses: z.array(item), next_cursor: field.text.nullable().optional() }) },
  async handle(ctx, parameters) {
    const { limit, cursor, ...filter } = parameters;
    if (limit !== undefined || cursor !== undefined) return ok(await listPage(ctx, parameters, toItem));
    const now = ctx.now();
    const pages = streamLicenses(ctx, toLicenseFilter(filter), LIST_ORDER);
    // Awaited so that a failure before the first line is an error response, not a broken stream.
    const first = await pages.next();
    return { status: 200, body: toJsonChunks(first, pages, now) };
  },
});

function toItem(license: LicenseListItem, now: Date) {
  return {
    id: formatLicenseId(license.id),
    type: license.type,
    status: deriveLicenseStatus(license, now),
    expires: toDay(license.expiresAt),
    server: license.hostname || license.ipAddress,
    ...presentSetLabels(license),
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
