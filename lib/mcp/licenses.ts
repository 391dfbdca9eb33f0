import { z } from "zod";
import { invalidParameters, isDomainError } from "#lib/domain/errors.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { toMajorNumber } from "#lib/domain/money.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { licenseAnswer, presentLicense } from "#lib/http/dispatch-api/license-info.ts";
import { dataAnswers, dataResult } from "#lib/http/dispatch-api/present.ts";
import { listPage, listParameters } from "#lib/http/license-list.ts";
import { parameter } from "#lib/http/parameters.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { getLicense, type LicenseRow } from "#lib/services/license/get.ts";
import type { LicenseListItem } from "#lib/services/license/list.ts";
import { quoteRenewals, type RenewalQuote } from "#lib/services/license/quote-renewal.ts";
import { getLicenseStatus } from "#lib/services/license/status.ts";
import type { Tool } from "./tool.ts";

/** A model reads all of it. */
const PAGE_SIZE = 20;

/** A license of the API, and what the dashboard shows of it. */
const foundLicense = licenseAnswer.extend({ hostname: field.text });

function presentFound(license: LicenseListItem | LicenseRow, now: Date) {
  return { ...presentLicense(license, now), hostname: license.hostname };
}

const findLicenses: Tool = {
  name: "find_licenses",
  title: "Find licenses",
  description:
    "Finds your licenses, oldest first. All given filters must match; without one it lists all. Follow next_cursor for the next page.",
  about: {
    limit: `At most this many, by default ${PAGE_SIZE}.`,
    cursor: "next_cursor of the previous page, with the same filters.",
    status: "pending, active, suspended, expired or terminated.",
    type: "The product's type, such as control_panel. list_products has all.",
    ip_address: "The IPv4 address that the license is bound to.",
    license_key: "The whole license key.",
    external_id: "Your own name of the license, such as an order number, exactly.",
    customer: "The whole name, email address or reference of your customer.",
    tag: "A whole tag.",
    q: "Words in any order, each the start of the license key, of the address, of the external id, or of a word in host name, notes, customer, tags or product name; or a license id, or the end of a key.",
    expires_within: "Only licenses whose term ends within this many days.",
  },
  endpoint: defineEndpoint({
    name: "find_licenses",
    method: "GET",
    scope: "licenses:read",
    parameters: z.object(listParameters),
    responses: dataAnswers(z.strictObject({ licenses: z.array(foundLicense), next_cursor: field.text.nullable() })),
    async handle(ctx, { limit = PAGE_SIZE, ...parameters }) {
      return dataResult(await listPage(ctx, { ...parameters, limit }, presentFound));
    },
  }),
};

const quote = z.strictObject({
  cycle_id: field.number,
  name: field.text,
  months: field.count,
  price: field.money,
  currency: field.currency,
  new_expiry: field.time,
});

function presentQuote({ cycleId, name, months, price, currency, term }: RenewalQuote): z.input<typeof quote> {
  return {
    cycle_id: cycleId,
    name,
    months,
    price: toMajorNumber(price, currency),
    currency,
    new_expiry: toTimestamp(term.expiresAt),
  };
}

export const suspension = z.strictObject({
  by: z.enum(["reseller", "admin"]),
  reason: field.text,
  since: field.time,
});

export function presentSuspension({ suspendedAt, suspendedBy, suspensionReason }: LicenseRow) {
  if (suspendedAt === null) return null;
  return { by: suspendedBy ?? "reseller", reason: suspensionReason, since: toTimestamp(suspendedAt) };
}

const getLicenseTool: Tool = {
  name: "get_license",
  title: "Get a license",
  description:
    "One license with its status, end, auto-renew, what its renewal costs today, and who suspended it and why. renewal is null if it cannot be renewed alone.",
  about: {
    license_id: "The license's id. Or give license_key.",
    license_key: "The license key. Or give license_id.",
  },
  endpoint: defineEndpoint({
    name: "get_license",
    method: "GET",
    scope: "licenses:read",
    parameters: z.object({ license_id: parameter.integer.optional(), license_key: parameter.licenseKey.optional() }),
    responses: dataAnswers(
      foundLicense.extend({
        renewal: quote.nullable(),
        suspension: suspension.nullable(),
      }),
    ),
    async handle(ctx, { licenseId, licenseKey }) {
      const license = await getLicense(ctx, { licenseId: licenseId ?? (await findId(ctx, licenseKey)) });
      const renewals = await quoteRenewals(ctx, { licenseId: license.id }).catch(noRenewal);
      const current = renewals.find((renewal) => renewal.current);
      return dataResult({
        ...presentFound(license, ctx.now()),
        renewal: current ? presentQuote(current) : null,
        suspension: presentSuspension(license),
      });
    },
  }),
};

async function findId(ctx: ServiceContext, licenseKey: LicenseKey | undefined): Promise<number> {
  if (licenseKey !== undefined) return (await getLicenseStatus(ctx, { licenseKey })).id;
  throw invalidParameters([{ field: "license_id", kind: "missing", message: "or license_key is required" }]);
}

function noRenewal(error: unknown): [] {
  if (isDomainError(error) && error.code === "state_invalid") return [];
  throw error;
}

const quoteRenewal: Tool = {
  name: "quote_renewal",
  title: "Quote a renewal",
  description: "What renewing a license costs today and when it then ends, by each cycle. Charges nothing.",
  about: { license_id: "The license's id." },
  endpoint: defineEndpoint({
    name: "quote_renewal",
    method: "GET",
    scope: "licenses:read",
    parameters: z.object({ license_id: parameter.integer }),
    responses: dataAnswers(z.strictObject({ quotes: z.array(quote.extend({ is_current_cycle: field.flag })) })),
    async handle(ctx, selector) {
      const renewals = await quoteRenewals(ctx, selector);
      return dataResult({
        quotes: renewals.map((renewal) => ({ ...presentQuote(renewal), is_current_cycle: renewal.current })),
      });
    },
  }),
};

export const licenseTools: readonly Tool[] = [findLicenses, getLicenseTool, quoteRenewal];
