import { z } from "zod";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { daysRemaining } from "#lib/domain/term.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { optionalLabelFields, presentSetLabels } from "#lib/http/license-labels.ts";
import { listPage, listParameters } from "#lib/http/license-list.ts";
import { parameter } from "#lib/http/parameters.ts";
import { getLicense } from "#lib/services/license/get.ts";
import type { LicenseListItem } from "#lib/services/license/list.ts";
import { dataAnswers, dataResult } from "./present.ts";

export const licenseAnswer = z
  .strictObject({
    license_id: field.number,
    license_key: field.licenseKey,
    product_id: field.number,
    product: field.text,
    cycle_months: field.number,
    ip_address: field.text,
    status: field.status,
    issued_at: field.time,
    expires_at: field.time,
    days_remaining: field.count,
    cores: field.count.nullable(),
    notes: field.text,
    auto_renew: field.flag,
    external_id: field.text.optional(),
    ...optionalLabelFields,
    bundle_instance_id: field.number.optional(),
    operation_id: field.operationId.optional(),
  })
  .meta({ title: "License" });

/** What `license.info` and `license.list` show of a license. */
type ShownLicense = Omit<
  LicenseListItem,
  "resellerId" | "resellerName" | "cycleName" | "bundleName" | "type" | "hostname"
>;

export function presentLicense(license: ShownLicense, now: Date) {
  return {
    license_id: license.id,
    license_key: license.key,
    product_id: license.productId,
    product: license.productName,
    cycle_months: license.cycleMonths,
    ip_address: license.ipAddress,
    status: deriveLicenseStatus(license, now),
    issued_at: toTimestamp(license.issuedAt),
    expires_at: toTimestamp(license.expiresAt),
    days_remaining: daysRemaining(license.expiresAt, now),
    cores: license.cores,
    notes: license.notes,
    auto_renew: license.autoRenew,
    ...(license.externalId === null ? {} : { external_id: license.externalId }),
    ...presentSetLabels(license),
    ...(license.bundleInstanceId === null ? {} : { bundle_instance_id: license.bundleInstanceId }),
    // Present while a change is open: a downstream installation must not use the previous state as the outcome
    // (decision 7).
    ...(license.openOperationId === null ? {} : { operation_id: license.openOperationId }),
  };
}

export const licenseInfo = defineEndpoint({
  name: "license.info",
  method: "GET",
  scope: "licenses:read",
  parameters: z.object({ license_id: parameter.integer }),
  responses: dataAnswers(licenseAnswer),
  async handle(ctx, selector) {
    return dataResult(presentLicense(await getLicense(ctx, selector), ctx.now()));
  },
});

export const licenseList = defineEndpoint({
  name: "license.list",
  method: "GET",
  scope: "licenses:read",
  parameters: z.object(listParameters),
  responses: dataAnswers(z.strictObject({ licenses: z.array(licenseAnswer), next_cursor: field.text.nullable() })),
  async handle(ctx, parameters) {
    return dataResult(await listPage(ctx, parameters, presentLicense));
  },
});
