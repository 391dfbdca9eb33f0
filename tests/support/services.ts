import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ServiceContext } from "#lib/services/context.ts";

const servicesDir = join(import.meta.dirname, "..", "..", "lib", "services");

export type Service = (ctx: ServiceContext, input: unknown) => unknown;

const takesContext = /^(async )?function ?\*? ?\w+\(ctx[,)]/;

/** Every exported function of lib/services that takes a context: `folder/file.name`. */
export async function findServices(): Promise<Map<string, Service>> {
  const files = readdirSync(servicesDir, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.includes("/") && file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const found = new Map<string, Service>();
  for (const file of files) {
    const module: Record<string, unknown> = await import(join(servicesDir, file));
    for (const [name, value] of Object.entries(module)) {
      if (typeof value === "function" && takesContext.test(value.toString())) {
        found.set(`${file.slice(0, -".ts".length)}.${name}`, value as Service);
      }
    }
  }
  return found;
}

/** Services that have checked their own permission, and the pipeline, which has identified the caller. */
export const withoutPermission = new Set([
  // The checks themselves.
  "api-key/manager.requireKeyManager",
  "api-key/manager.requireManagedReseller",
  "user/manager.requireManageable",
  "user/manager.requireUserManager",
  "user/write-in-session.writeInSession",
  "audit/record.auditRecord",
  "audit/record.changedBy",
  "audit/record-denial.recordRefusal",
  "bulk/get.getChangeableBulkJob",
  "bulk/get.getOwnBulkJob",
  "bulk/address-plan.planOwnAddressChanges",
  "bulk/bundle-plan.planBundleBulk",
  "bulk/license-plan.planLicenseBulk",
  "bulk/item-prices.priceBundleRenewals",
  "bulk/item-prices.priceRegistrations",
  "bulk/item-prices.priceRenewals",
  "bulk/plan.startPlannedJob",
  "bulk/quote-retry.priceFailedItems",
  "bulk/run-item.runBulkItem",
  "bulk/start.startBulkJob",
  "bundle/get.getOwnBundleInstance",
  "bundle/quote-renewal.quoteOwnBundleRenewals",
  "bundle/member-metering.findMetering",
  "idempotency/answer-once.answerOnce",
  "idempotency/claim.claimKey",
  "idempotency/claim.findEarlierAnswer",
  "idempotency/claim.storeAnswer",
  "idempotency/claim.replaceAnswer",
  "idempotency/claim.releaseKey",
  "idempotency/claim.rollBackWrites",
  "license/audit-update.auditUpdate",
  "license/get.getOwnLicense",
  "license/plan-import.planOwnImport",
  "license/quote-renewal.quoteOwnRenewals",
  "license/quote-renewal-after-removal.quoteRenewalAfterRemoval",
  "license/core-change.readCoreChange",
  "relocation/relocate-unit.relocateUnit",
  "relocation/plan.planOwnRelocation",
  "operation/address-lookup.rethrowRejectedHold",
  "operation/address-lookup.requireAddressLookupsLeft",
  "operation/address-lookup.countAddressLookups",
  "operation/address-lookup.recordAddressLookup",
  "operation/provider-lookup.beginProviderLookup",
  "operation/provider-lookup.recordProviderLookup",
  "operation/ask-provider.askProvider",
  "operation/change-at-provider.changeAtProvider",
  "operation/change-at-provider.chargeAtProvider",
  "operation/change-at-provider.findEarlierOutcome",
  "operation/execute-plan.executePlan",
  "operation/execute-plan.findUnavailability",
  "operation/execute-plan.revertSteps",
  "operation/preview-charge.previewCharge",
  "operation/preview-charge.previewHold",
  "operation/preview-charge.tryHold",
  "operation/report-charges.reportOtherCharges",
  "operation/lease.abandonOperation",
  "operation/lease.beginOperationLease",
  "operation/lease.claimOpenOperation",
  "operation/reconcile.reconcileOperation",
  "operation/resume.resumeOperation",
  "operation/seen-version.requireSeenVersion",
  "operation/send.sendOperation",
  "provider/get.getProvider",
  "provider/get.getProviderAccount",
  "reconciliation/get-case.getCaseDetails",
  "mail/format.formatMail",
  "mail/format.formatWithToken",
  "mail/unsubscribe.findUnsubscription",
  "mail/unsubscribe.unsubscribe",
  "user/invitation.newInvitation",
  "user/own-factors.removeOwnFactor",
  "user/password.newOneTimePassword",
  // For visitors: their link is the permission (access-link.test.ts).
  "user/change-email.confirmEmailChange",
  "user/change-email.findEmailChange",
  "user/redeem-access-link.findAccessLink",
  "user/redeem-access-link.redeemAccessLink",
  "user/request-password-reset.requestPasswordReset",
  "webhook/redeem-code.redeemChatCode",
  "webhook/verify.queueChallenge",
  "wallet/amount.getLiveCurrency",
  "wallet/amount.getResellerCurrency",
  "wallet/meant-amount.requireMeantAmount",
  // Filters by actor: lib/services/wallet/top-up-requests.test.ts.
  "wallet/list-top-up-requests.listTopUps",
]);
