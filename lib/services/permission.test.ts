import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { scopes as allScopes, type Scope } from "#lib/domain/scopes.ts";
import { actors } from "#tests/support/actors.ts";
import { type Actor, onBehalfOf, type ServiceContext } from "./context.ts";

/**
 * The permission of each service: one of several scopes, a person (no API key), or an admin. Keys are managed by all
 * but API keys, users by all but API keys and acting admins, own settings by their user. A function that takes a
 * context and is in no list fails the test.
 */
const permissions: Record<
  string,
  Scope | readonly Scope[] | "admin" | "person" | "any key" | "key manager" | "user manager" | "own user"
> = {
  "api-key/create.createResellerApiKey": "key manager",
  "api-key/get.getApiKey": "key manager",
  "api-key/list.listApiKeys": "key manager",
  "api-key/list-requests.listApiRequests": "key manager",
  "api-key/list-usage.listKeyUsage": "key manager",
  "api-key/manager.requireKeyManager": "key manager",
  "api-key/manager.requireManagedReseller": "key manager",
  "api-key/me.getCallingKey": "any key",
  "api-key/revoke.revokeApiKey": "key manager",
  "api-key/rotate.rotateApiKey": "key manager",
  "api-key/set-rate-limit.setApiKeyRateLimit": "admin",
  "bulk/cancel.cancelBulkJob": "person",
  "bulk/get.getBulkJob": "person",
  "bulk/list-items.listBulkItems": "person",
  "bulk/list.listBulkJobs": "person",
  "bulk/quote-bundles.quoteBundleBulk": "person",
  "bulk/quote-licenses.quoteLicenseBulk": "person",
  "bulk/quote-retry.quoteBulkRetry": "person",
  "bulk/results.streamBulkResults": "person",
  "bulk/retry.retryFailedBulkItems": "person",
  "bulk/run.runBulkJob": "admin",
  "bulk/run.runBulkTurn": "admin",
  "bulk/run.wakeDroppedBulkJobs": "admin",
  "bulk/start-bundles.startBundleBulk": "person",
  "bulk/start-licenses.startLicenseBulk": "person",
  "audit/export.exportAuditLog": "admin",
  "audit/list.listAuditLog": "admin",
  "audit/list.listOwnAuditLog": "person",
  "audit/verify.verifyAuditLog": "admin",
  "bundle/change-ip.changeBundleIp": "bundles:write",
  "bundle/get.getBundleInstance": "bundles:read",
  "bundle/list.countOwnBundleInstances": "bundles:read",
  "bundle/list.listOwnBundleInstances": "bundles:read",
  "bundle/quote-renewal.quoteBundleRenewals": "bundles:read",
  "bundle/register.registerBundle": "bundles:write",
  "bundle/renew.renewBundle": "bundles:write",
  "bundle/set-auto-renew.setBundleAutoRenew": "bundles:write",
  "catalog/create-bundle.createBundle": "admin",
  "catalog/create-bundle.readMembers": "admin",
  "catalog/create-cycle.createCycle": "admin",
  "catalog/create-product.createProduct": "admin",
  "catalog/create-product.requireProvider": "admin",
  "catalog/cycle.getPricedCycle": "admin",
  "catalog/get-bundle.getCatalogBundle": "admin",
  "catalog/get-bundle.listPossibleMembers": "admin",
  "catalog/get-product.getCatalogProduct": "admin",
  "catalog/import-from-provider.importFromProvider": "admin",
  "catalog/list-bundles.listBundles": "catalog:read",
  "catalog/list-catalog.listCatalogBundles": "admin",
  "catalog/list-catalog.listCatalogProducts": "admin",
  "catalog/list-catalog.listPriceCurrencies": "admin",
  "catalog/list-currencies.listSoldCurrencies": "admin",
  "catalog/list-products.listProducts": "catalog:read",
  "catalog/list-reseller-prices.listResellerPrices": "admin",
  "catalog/price-reach.getPriceReach": "admin",
  "catalog/remove-price.removeListPrice": "admin",
  "catalog/remove-price.removeResellerPrice": "admin",
  "catalog/set-bundle-retired.setBundleRetired": "admin",
  "catalog/set-cycle-retired.setCycleRetired": "admin",
  "catalog/set-price.setListPrice": "admin",
  "catalog/set-price.setResellerPrice": "admin",
  "catalog/set-product-retired.setProductRetired": "admin",
  "catalog/update-bundle.updateBundle": "admin",
  "catalog/update-cycle.updateCycle": "admin",
  "catalog/update-product.updateProduct": "admin",
  "diagnostics/count-problems.countOwnServerProblems": "diagnostics:read",
  "diagnostics/get-server.checkServerName": "diagnostics:read",
  "diagnostics/get-server.findServerState": "diagnostics:read",
  "diagnostics/get-server.getServer": "diagnostics:read",
  "diagnostics/get-server.getServerTrend": "diagnostics:read",
  "diagnostics/get.getDiagnostics": "diagnostics:read",
  "diagnostics/list-servers.listServers": "diagnostics:read",
  "diagnostics/report.reportDiagnostics": "diagnostics:write",
  "license/change-core.changeLicenseCores": "licenses:write",
  "license/change-ip.changeLicenseIp": "licenses:write",
  "license/get.getLicense": "licenses:read",
  "license/export.exportLicenses": "licenses:read",
  "license/history.getLicenseHistory": "licenses:read",
  "license/import-template.streamImportTemplate": "person",
  "license/list.countLicenses": "licenses:read",
  "license/list.listLicenses": "licenses:read",
  "license/list.streamLicenses": "licenses:read",
  "license/quote-core-change.quoteCoreChange": "licenses:read",
  "license/plan-import.planLicenseImport": "person",
  "license/quote-renewal.quoteRenewals": "licenses:read",
  "license/get.findLicenseId": ["licenses:write", "licenses:terminate"],
  "license/register.registerLicense": "licenses:write",
  "license/register.registerLicenseOnce": "licenses:write",
  "license/renew.renewLicense": "licenses:write",
  "license/set-auto-renew.setLicenseAutoRenew": "licenses:write",
  "license/set-notes.setLicenseNotes": "licenses:write",
  "license/start-import.startLicenseImport": "person",
  "license/status.getLicenseStatus": "licenses:verify",
  "license/suspend.suspendLicense": "licenses:write",
  "license/terminate.terminateLicense": "licenses:terminate",
  "license/unsuspend.unsuspendLicense": "licenses:write",
  "license/update.updateLicense": "licenses:write",
  "license/verifications.listVerifications": "licenses:read",
  "license/verifications.summarizeVerifications": "licenses:read",
  "license/verify.verifyLicense": "licenses:verify",
  "mail/deliver.attemptMail": "admin",
  "mail/deliver.claimDueMails": "admin",
  "mail/outbox.getMail": "admin",
  "mail/outbox.listMails": "admin",
  "mail/outbox.retryMail": "admin",
  "mail/outbox.showMailLink": "admin",
  "relocation/plan.planRelocation": "person",
  "relocation/start.startRelocation": "person",
  "operation/get.getOperation": ["licenses:read", "bundles:read"],
  "operation/reconcile.listDueOperations": "admin",
  "operation/reconcile.reconcileOpenOperation": "admin",
  "operation/reconcile.reconcileOperations": "admin",
  "overview/get.getOverview": "person",
  "provider/books.readProviderBooks": "admin",
  "provider/create.createProvider": "admin",
  "provider/list.listProviders": "admin",
  "provider/set-disabled.setProviderDisabled": "admin",
  "provider/test-connection.testProviderConnection": "admin",
  "provider/update.updateProvider": "admin",
  "reconciliation/act.actOnCase": "admin",
  "reconciliation/ask-again.askAgain": "admin",
  "reconciliation/audit-open.auditOpenCase": "admin",
  "reconciliation/charge-term.chargeTerm": "admin",
  "reconciliation/read-situation.readSituation": "admin",
  "reconciliation/correct.correctProvider": "admin",
  "reconciliation/detect-drift.detectDrift": "admin",
  "reconciliation/end-at-provider.endAtProvider": "admin",
  "reconciliation/get-case.getCase": "admin",
  "reconciliation/list-cases.listCases": "admin",
  "reconciliation/list-cases.summarizeInbox": "admin",
  "reconciliation/case-operation.createOperatingContext": "admin",
  "reconciliation/case-operation.requireUnchanged": "admin",
  "reconciliation/case-operation.rejectIfChanged": "admin",
  "reconciliation/read-books.readBooks": "admin",
  "reconciliation/settle-cores.settleCores": "admin",
  "reconciliation/adopt-facts.adoptFacts": "admin",
  "reconciliation/value-cases.valueCases": "admin",
  "renewals/announce-prices.announceRisenPrices": "admin",
  "renewals/run-due.runDueRenewals": "admin",
  "renewals/run-due.runRenewalTurn": "admin",
  "renewals/run-due.wakeRenewals": "admin",
  "renewals/set-price-rules.setPriceRules": "person",
  "renewals/emit-expiry-notices.emitExpiryNotices": "admin",
  "reseller/create.createReseller": "admin",
  "reseller/get.getReseller": "wallet:read",
  "reseller/list.listResellers": "admin",
  "reseller/search.searchResellers": "admin",
  "reseller/set-renewal-settings.setRenewalSettings": "admin",
  "reseller/settings.getResellerSettings": "admin",
  "reseller/settings.setResellerSuspended": "admin",
  "reseller/settings.updateReseller": "admin",
  "retention/prune.pruneOldRecords": "admin",
  "sandbox/add-play-money.addPlayMoney": "person",
  "sandbox/advance.advanceLicense": "person",
  "sandbox/open.openSandboxOf": "key manager",
  "sandbox/open.requireSandbox": "person",
  "sandbox/rehearsal.getRehearsal": "person",
  "sandbox/rehearsal.setRehearsal": "person",
  "sandbox/reset.resetSandbox": "person",
  "sandbox/switch.switchTestMode": "person",
  "user/act-as.startActing": "admin",
  "user/act-as.stopActing": "person",
  "user/change-password.changeOwnPassword": "own user",
  "user/create-admin.createAdmin": "admin",
  "user/create.createUser": "user manager",
  "user/find-demo-admin.findDemoAdmin": "admin",
  "user/list.listUsers": "user manager",
  "user/manager.requireAccessManager": "admin",
  "user/manager.requireOwnUser": "own user",
  "user/manager.requireUserManager": "user manager",
  "user/own-factors.confirmTotp": "own user",
  "user/own-factors.getOwnFactors": "own user",
  "user/own-factors.removeTotp": "own user",
  "user/own-factors.replaceRecoveryCodes": "own user",
  "user/own-factors.startTotp": "own user",
  "user/own-sessions.endOtherSessions": "own user",
  "user/own-sessions.endOwnSession": "own user",
  "user/own-sessions.listOwnSessions": "own user",
  "user/remove-factors.removeUserFactors": "admin",
  "user/rename.changeOwnName": "own user",
  "user/reset-password.resetUserPassword": "admin",
  "user/set-disabled.setUserDisabled": "admin",
  "wallet/adjust.adjustWallet": "admin",
  "wallet/balance.getBalance": "wallet:read",
  "wallet/decide-top-up.decideTopUp": "admin",
  "wallet/list-entries.listWalletEntries": "wallet:read",
  "wallet/list-open-operations.listOwnOpenOperations": "wallet:read",
  "wallet/list-top-up-requests.countOpenTopUps": "admin",
  "wallet/refund.refundCharge": "admin",
  "wallet/request-top-up.requestTopUp": "person",
  "wallet/runway.getWalletRunway": "wallet:read",
  "wallet/set-low-balance-threshold.setWalletLowBalanceThreshold": "person",
  "wallet/statement-csv.streamStatement": "wallet:read",
  "wallet/statement.getStatement": "wallet:read",
  "wallet/statement.openStatement": "wallet:read",
  "wallet/top-up.topUpWallet": "admin",
  "wallet/verify.verifyWallets": "admin",
  "webhook/create.createWebhookEndpoint": "webhooks:write",
  "webhook/deliver.attemptDelivery": "admin",
  "webhook/deliver.claimDueDeliveries": "admin",
  "webhook/delete.deleteWebhookEndpoint": "webhooks:write",
  "webhook/get-delivery.getWebhookDelivery": "webhooks:read",
  "webhook/get-event.getWebhookEvent": "webhooks:read",
  "webhook/get.getWebhookEndpoint": "webhooks:read",
  "webhook/list-deliveries.listWebhookDeliveries": "webhooks:read",
  "webhook/list-events.listEvents": "webhooks:read",
  "webhook/list.listWebhookEndpoints": "webhooks:read",
  "webhook/resend.countWebhooksNotDelivered": "webhooks:read",
  "webhook/resend.resendDelivery": "webhooks:write",
  "webhook/resend.resendEvent": "webhooks:write",
  "webhook/resend.resendNotDelivered": "webhooks:write",
  "webhook/rotate-secret.rotateWebhookSecret": "webhooks:write",
  "webhook/send-test-event.sendTestEvent": "webhooks:write",
  "webhook/set-paused.setWebhookEndpointPaused": "webhooks:write",
  "webhook/stats.getWebhookEndpointStats": "webhooks:read",
  "webhook/stats.summarizeWebhookActivity": "webhooks:read",
  "webhook/update.updateWebhookEndpoint": "webhooks:write",
  "webhook/verify.verifyWebhookEndpoint": "webhooks:write",
};

/** Services that have checked their own permission, and the pipeline, which has identified the caller. */
const withoutPermission = new Set([
  "audit/record.auditRecord",
  "audit/record.changedBy",
  "bulk/get.getOwnBulkJob",
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
  "license/get.getOwnLicense",
  "license/plan-import.planOwnImport",
  "license/quote-renewal.quoteOwnRenewals",
  "license/core-change.readCoreChange",
  "relocation/relocate-unit.relocateUnit",
  "relocation/plan.planOwnRelocation",
  "operation/address-lookup.rethrowRejectedHold",
  "operation/address-lookup.requireAddressLookupsLeft",
  "operation/address-lookup.countAddressLookups",
  "operation/ask-provider.askProvider",
  "operation/change-at-provider.changeAtProvider",
  "operation/change-at-provider.chargeAtProvider",
  "operation/execute-plan.executePlan",
  "operation/execute-plan.revertSteps",
  "operation/preview-charge.previewCharge",
  "operation/preview-charge.previewHold",
  "operation/lease.abandonOperation",
  "operation/lease.beginOperationLease",
  "operation/lease.claimOpenOperation",
  "operation/reconcile.reconcileOperation",
  "operation/resume.resumeOperation",
  "operation/seen-version.requireSeenVersion",
  "operation/send.sendOperation",
  "provider/get.getProvider",
  "provider/get.getProviderAccount",
  "provider/get.acceptsRequests",
  "reconciliation/get-case.getCaseDetails",
  "mail/format.formatMail",
  "mail/format.formatWithToken",
  "user/invitation.newInvitation",
  "user/password.newOneTimePassword",
  // For visitors: their link is the permission (access-link.test.ts).
  "user/redeem-access-link.findAccessLink",
  "user/redeem-access-link.redeemAccessLink",
  "user/request-password-reset.requestPasswordReset",
  "webhook/verify.queueChallenge",
  "wallet/amount.getResellerCurrency",
  // Filters by actor: lib/services/wallet/top-up-requests.test.ts.
  "wallet/list-top-up-requests.listTopUps",
]);

const servicesDir = import.meta.dirname;
const resellerId = 1 as ResellerId;

type Service = (ctx: ServiceContext, input: unknown) => unknown;

const takesContext = /^(async )?function ?\*? ?\w+\(ctx[,)]/;

async function findServices(): Promise<Map<string, Service>> {
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

const services = await findServices();

/** A context without a database: permissions are checked before anything else. */
function contextOf(actor: Actor): ServiceContext {
  const unreachable = (name: string | symbol) => {
    throw new Error(`${String(name)} was asked`);
  };
  return new Proxy({ actor } as ServiceContext, {
    get: (target, name) => (name === "actor" ? target.actor : unreachable(name)),
  });
}

async function call(service: Service, actor: Actor): Promise<string> {
  try {
    const result = service(contextOf(actor), {});
    await (Symbol.asyncIterator in Object(result) ? (result as AsyncGenerator).next() : result);
    return "allowed";
  } catch (error) {
    return (error as { code?: string }).code === "permission_denied" ? "denied" : "allowed";
  }
}

const without = (anyOf: readonly Scope[]) =>
  allScopes.filter((held) => !anyOf.includes(held) && !(anyOf.includes("licenses:verify") && held === "licenses:read"));
const scopesOf = (permission: Scope | readonly Scope[]) => (typeof permission === "string" ? [permission] : permission);

const system: Actor = { kind: "system", name: "test" };

test("every service is in the table, and the table names nothing else", () => {
  const known = [...Object.keys(permissions), ...withoutPermission];
  expect([...services.keys()].toSorted()).toEqual(known.toSorted());
});

describe.each([...services].filter(([name]) => !withoutPermission.has(name)))("%s", (name, service) => {
  const permission = permissions[name];

  test("rejects actors without its permission before doing anything else", async () => {
    if (permission === undefined) return;
    if (permission === "admin") {
      expect(await call(service, actors.apiKey(resellerId))).toBe("denied");
      expect(await call(service, actors.user(resellerId))).toBe("denied");
    } else if (permission === "any key") {
      expect(await call(service, actors.user(resellerId))).toBe("denied");
      expect(await call(service, actors.admin(resellerId))).toBe("denied");
      expect(await call(service, system)).toBe("denied");
    } else if (permission === "key manager") {
      expect(await call(service, actors.apiKey(resellerId))).toBe("denied");
      const delegate = onBehalfOf({ actor: system } as ServiceContext, resellerId, allScopes).actor;
      expect(await call(service, delegate)).toBe("denied");
    } else if (permission === "user manager" || permission === "own user") {
      expect(await call(service, actors.apiKey(resellerId))).toBe("denied");
      expect(await call(service, { kind: "reseller_user", userId: 2 as UserId, resellerId, actingAdmin: true })).toBe(
        "denied",
      );
      if (permission === "own user") expect(await call(service, system)).toBe("denied");
    } else if (permission === "person") {
      expect(await call(service, actors.apiKey(resellerId))).toBe("denied");
      expect(await call(service, actors.admin(null))).toBe("denied");
      expect(await call(service, system)).toBe("denied");
    } else {
      expect(await call(service, actors.apiKey(resellerId, without(scopesOf(permission))))).toBe("denied");
      expect(await call(service, actors.admin(null))).toBe("denied");
      expect(await call(service, system)).toBe("denied");
    }
  });

  test("accepts actors with its permission", async () => {
    if (permission === undefined) return;
    if (permission === "admin") {
      expect(await call(service, actors.admin(null))).toBe("allowed");
      expect(await call(service, system)).toBe("allowed");
    } else if (permission === "any key") {
      expect(await call(service, actors.apiKey(resellerId, []))).toBe("allowed");
    } else if (permission === "key manager") {
      expect(await call(service, actors.user(resellerId))).toBe("allowed");
      expect(await call(service, actors.admin(resellerId))).toBe("allowed");
    } else if (permission === "user manager" || permission === "own user") {
      expect(await call(service, actors.user(resellerId))).toBe("allowed");
      expect(await call(service, actors.admin(null))).toBe("allowed");
    } else if (permission === "person") {
      expect(await call(service, actors.user(resellerId))).toBe("allowed");
      expect(await call(service, actors.admin(resellerId))).toBe("allowed");
    } else {
      for (const scope of scopesOf(permission)) {
        expect(await call(service, actors.apiKey(resellerId, [scope]))).toBe("allowed");
      }
      expect(await call(service, actors.user(resellerId))).toBe("allowed");
      expect(await call(service, actors.admin(resellerId))).toBe("allowed");
    }
  });
});

test("on behalf of a reseller the operator has only the scopes that the task needs", async () => {
  const ctx = onBehalfOf({ actor: system } as ServiceContext, resellerId, ["licenses:write"]);
  for (const [name, service] of services) {
    const permission = permissions[name];
    if (permission === undefined) continue;
    expect(`${name} ${await call(service, ctx.actor)}`).toBe(
      `${name} ${[permission].flat().includes("licenses:write") ? "allowed" : "denied"}`,
    );
  }
  for (const actor of [actors.apiKey(resellerId), actors.user(resellerId), ctx.actor]) {
    expect(() => onBehalfOf({ actor } as ServiceContext, resellerId, ["licenses:write"])).toThrow(/Only an admin/);
  }
});
