import { describe, expect, test } from "vitest";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import {
  type AdminPermission,
  adminPermissions,
  adminRoleNames,
  adminRoles,
  type ResellerPermission,
  type ResellerRole,
  resellerRoleNames,
  resellerRoles,
} from "#lib/domain/roles.ts";
import { scopes as allScopes, type Scope } from "#lib/domain/scopes.ts";
import { actors } from "#tests/support/actors.ts";
import { findServices, type Service, withoutPermission } from "#tests/support/services.ts";
import { type Actor, onBehalfOf, type ServiceContext } from "./context.ts";

/** `user`: no API key, whatever its scopes. `key manager`: also the operator. `user manager`: no acting admin. */
type Rule =
  | Scope
  | `${Scope} and wallet:spend`
  | `user ${ResellerPermission}`
  | `key manager ${ResellerPermission}`
  | `user manager ${"read" | "write"}`
  | AdminPermission
  | "password manager"
  | "own user"
  | "any key"
  | "system";

/** The permission of each service, or several of which one is enough. A function that takes a context and is in no list fails the test. */
const permissions: Record<string, Rule | readonly Scope[]> = {
  "api-key/create-agent-keys.createAgentKeys": "user keys:write",
  "api-key/create-job-agent-keys.createJobAgentKeys": "user keys:write",
  "api-key/list-earlier-agent-keys.listEarlierAgentKeys": "user keys:write",
  "api-key/create.createResellerApiKey": "key manager keys:write",
  "api-key/get.getApiKey": "key manager keys:read",
  "api-key/list.listApiKeys": "key manager keys:read",
  "api-key/list-requests.listApiRequests": "key manager keys:read",
  "api-key/list-usage.listKeyUsage": "key manager keys:read",
  "api-key/me.getCallingKey": "any key",
  "api-key/revoke.revokeApiKey": "key manager keys:write",
  "api-key/rotate.rotateApiKey": "key manager keys:write",
  "api-key/set-rate-limit.setApiKeyRateLimit": "resellers:write",
  "api-key/set-spending-limit.setApiKeySpendingLimit": "key manager wallet:write",
  "bulk/address-plan.planAddressChanges": "user licenses:write",
  "bulk/cancel.cancelBulkJob": "user licenses:write",
  "bulk/get.getBulkJob": "user licenses:read",
  "bulk/get.getBulkJobOwner": "admin:read",
  "bulk/list-items.listBulkItems": "user licenses:read",
  "bulk/list.listAllBulkJobs": "admin:read",
  "bulk/list.listBulkJobs": "user licenses:read",
  "bulk/quote-bundles.quoteBundleBulk": "user bundles:write",
  "bulk/quote-licenses.quoteLicenseBulk": "user licenses:write",
  "bulk/quote-retry.quoteBulkRetry": "user licenses:write",
  "bulk/results.streamBulkResults": "user licenses:read",
  "bulk/retry.retryFailedBulkItems": "user licenses:write",
  "bulk/run.runBulkJob": "system",
  "bulk/run.runBulkTurn": "system",
  "bulk/run.wakeDroppedBulkJobs": "system",
  "bulk/selection-owner.getSelectionOwner": "admin:read",
  "bulk/start-address-changes.startAddressChanges": "user licenses:write",
  "bulk/start-bundles.startBundleBulk": "user bundles:write",
  "bulk/start-licenses.startLicenseBulk": "user licenses:write",
  "bulk/stop-reverts.stopBulkReverts": "user licenses:write",
  "audit/export.exportAuditLog": "admin:read",
  "audit/list.listAuditLog": "admin:read",
  "audit/list.listOwnAuditLog": "user audit:read",
  "audit/verify.verifyAuditLog": "admin:read",
  "bundle/change-ip.changeBundleIp": "bundles:write",
  "bundle/get.getBundleInstance": "bundles:read",
  "bundle/list.countOwnBundleInstances": "bundles:read",
  "bundle/list.listOwnBundleInstances": "bundles:read",
  "bundle/quote-renewal.quoteBundleRenewals": "bundles:read",
  "bundle/register.registerBundle": "bundles:write and wallet:spend",
  "bundle/renew.renewBundle": "bundles:write and wallet:spend",
  "bundle/set-auto-renew.setBundleAutoRenew": "bundles:write and wallet:spend",
  "catalog/create-bundle.createBundle": "catalog:write",
  "catalog/create-bundle.readMembers": "catalog:write",
  "catalog/create-cycle.createCycle": "catalog:write",
  "catalog/create-product.createProduct": "catalog:write",
  "catalog/create-product.requireProvider": "catalog:write",
  "catalog/cycle.getPricePlace": "admin:read",
  "catalog/cycle.getPricedCycle": "admin:read",
  "catalog/get-bundle.getCatalogBundle": "admin:read",
  "catalog/get-bundle.listPossibleMembers": "admin:read",
  "catalog/get-product.getCatalogProduct": "admin:read",
  "catalog/import-from-provider.importFromProvider": "catalog:write",
  "catalog/list-bundles.listBundles": "catalog:read",
  "catalog/list-catalog.listCatalogBundles": "admin:read",
  "catalog/list-catalog.listCatalogProducts": "admin:read",
  "catalog/list-catalog.listPriceCurrencies": "admin:read",
  "catalog/list-currencies.listSoldCurrencies": "admin:read",
  "catalog/list-products.listProducts": "catalog:read",
  "catalog/list-reseller-prices.listResellerPrices": "admin:read",
  "catalog/price-reach.getPriceReach": "admin:read",
  "catalog/remove-price.removePrice": "catalog:write",
  "catalog/set-bundle-retired.setBundleRetired": "catalog:write",
  "catalog/set-cycle-retired.setCycleRetired": "catalog:write",
  "catalog/save-prices.savePrices": "catalog:write",
  "catalog/set-price.setPrice": "catalog:write",
  "catalog/set-product-retired.setProductRetired": "catalog:write",
  "catalog/update-bundle.updateBundle": "catalog:write",
  "catalog/update-cycle.updateCycle": "catalog:write",
  "catalog/update-product.updateProduct": "catalog:write",
  "diagnostics/count-problems.countOwnServerProblems": "diagnostics:read",
  "diagnostics/get-server.checkServerName": "diagnostics:read",
  "diagnostics/get-server.findServerState": "diagnostics:read",
  "diagnostics/get-server.getServer": "diagnostics:read",
  "diagnostics/get-server.getServerTrend": "diagnostics:read",
  "diagnostics/get.getDiagnostics": "diagnostics:read",
  "diagnostics/list-servers.listServers": "diagnostics:read",
  "diagnostics/report.reportDiagnostics": "diagnostics:write",
  "license/change-core.changeLicenseCores": "licenses:write and wallet:spend",
  "license/change-ip.changeLicenseIp": "licenses:write",
  "license/get.getLicense": "licenses:read",
  "license/get.getLicenseOwner": "admin:read",
  "license/export.exportAllLicenses": "admin:read",
  "license/export.exportLicenses": "licenses:read",
  "license/history.getLicenseHistory": "licenses:read",
  "license/import-template.streamImportTemplate": "user wallet:spend",
  "license/list.countLicenses": "licenses:read",
  "license/list.listLicenses": "licenses:read",
  "license/list.listAllLicenses": "admin:read",
  "license/list.countAllLicenses": "admin:read",
  "license/list.streamAllLicenses": "admin:read",
  "license/list.streamLicenses": "licenses:read",
  "license/quote-core-change.quoteCoreChange": "licenses:read",
  "license/plan-import.planLicenseImport": "user wallet:spend",
  "license/quote-renewal.quoteRenewals": "licenses:read",
  "license/get.findLicenseId": ["licenses:write", "licenses:terminate"],
  "license/register-with-cores.registerLicenseWithCores": "licenses:write and wallet:spend",
  "license/register-with-labels.registerLicenseWithLabels": "licenses:write and wallet:spend",
  "license/register.registerLicense": "licenses:write and wallet:spend",
  "license/register.registerLicenseOnce": "licenses:write and wallet:spend",
  "license/renew.renewLicense": "licenses:write and wallet:spend",
  "license/set-auto-renew.setLicenseAutoRenew": "licenses:write and wallet:spend",
  "license/set-labels.setLicenseLabels": "licenses:write",
  "license/set-notes.setLicenseNotes": "licenses:write",
  "license/start-import.startLicenseImport": "user wallet:spend",
  "license/start-import.startRegistrations": "user wallet:spend",
  "license/status.getLicenseStatus": "licenses:verify",
  "license/suspend.suspendLicense": "licenses:write",
  "license/terminate.terminateLicense": "licenses:terminate",
  "license/unsuspend.unsuspendLicense": "licenses:write",
  "license/update.updateLicense": "licenses:write",
  "license/verifications.listVerifications": "licenses:read",
  "license/verifications.summarizeVerifications": "licenses:read",
  "license/verify.verifyLicense": "licenses:verify",
  "mail/deliver.attemptMail": "system",
  "mail/deliver.claimDueMails": "system",
  "mail/preferences.listMailPreferences": "own user",
  "mail/preferences.setMailPreferences": "own user",
  "mail/queue-digests.queueDigestMails": "system",
  "mail/queue-problem-mails.queueProblemMails": "system",
  "mail/queue-runway-mails.queueRunwayMails": "system",
  "system/end-false-waits.endFalseWaits": "system",
  "system/get.getSystem": "admin:read",
  "mail/outbox.getMail": "admin:read",
  "mail/outbox.listMails": "admin:read",
  "mail/outbox.retryMail": "users:write",
  "mail/outbox.showMailLink": "users:write",
  "relocation/plan.planRelocation": "user licenses:write",
  "relocation/start.startRelocation": "user licenses:write",
  "notification/list.countUnreadNotifications": "own user",
  "notification/list.listNotifications": "own user",
  "notification/mark-read.markNotification": "own user",
  "notification/mark-read.markNotificationsRead": "own user",
  "operation/get.getOperation": ["licenses:read", "bundles:read"],
  "operation/reconcile.listDueOperations": "system",
  "operation/reconcile.reconcileOpenOperation": "system",
  "operation/reconcile.reconcileOperations": "system",
  "overview/get.getOverview": "user wallet:read",
  "overview/waiting.getWaiting": "admin:read",
  "overview/revenue.getRevenue": "admin:read",
  "overview/revenue.listTopResellers": "admin:read",
  "provider/books.readProviderBooks": "cases:decide",
  "provider/create.createProvider": "providers:write",
  "provider/list.listProviders": "admin:read",
  "provider/set-disabled.setProviderDisabled": "providers:write",
  "provider/test-connection.testProviderConnection": "providers:write",
  "provider/update.updateProvider": "providers:write",
  "reconciliation/act.actOnCase": "cases:decide",
  "reconciliation/ask-again.askAgain": "cases:decide",
  "reconciliation/charge-term.chargeTerm": "cases:decide",
  "reconciliation/read-situation.readSituation": "admin:read",
  "reconciliation/correct.correctProvider": "cases:decide",
  "reconciliation/detect-drift.detectDrift": "cases:decide",
  "reconciliation/end-at-provider.endAtProvider": "cases:decide",
  "reconciliation/get-case.getCase": "admin:read",
  "reconciliation/list-cases.listCases": "admin:read",
  "reconciliation/list-cases.summarizeInbox": "admin:read",
  "reconciliation/case-operation.createOperatingContext": "cases:decide",
  "reconciliation/case-operation.requireUnchanged": "cases:decide",
  "reconciliation/case-operation.runOperations": "cases:decide",
  "reconciliation/read-books.readBooks": "cases:decide",
  "reconciliation/settle-cores.settleCores": "cases:decide",
  "reconciliation/adopt-facts.adoptFacts": "cases:decide",
  "reconciliation/value-cases.valueCases": "admin:read",
  "renewals/announce-prices.announceRisenPrices": "system",
  "renewals/list-failures.listRenewalFailures": "licenses:read",
  "renewals/run-due.runDueRenewals": "system",
  "renewals/run-due.runRenewalTurn": "system",
  "renewals/run-due.wakeRenewals": "system",
  "renewals/set-price-rules.setPriceRules": "user wallet:write",
  "renewals/emit-expiry-notices.emitExpiryNotices": "system",
  "reseller/create.createReseller": "resellers:write",
  "reseller/get.getReseller": ["licenses:read", "wallet:read"],
  "reseller/list.listResellers": "admin:read",
  "reseller/search.searchResellers": "admin:read",
  "reseller/search.readResellerFigures": "admin:read",
  "reseller/set-renewal-settings.setRenewalSettings": "resellers:write",
  "reseller/settings.getResellerSettings": "admin:read",
  "reseller/settings.setResellerSuspended": "resellers:write",
  "reseller/settings.updateReseller": "resellers:write",
  "retention/maintain-partitions.maintainPartitions": "system",
  "retention/prune.pruneOldRecords": "system",
  "sandbox/add-play-money.addPlayMoney": "user sandbox:write",
  "sandbox/advance.advanceLicense": "user sandbox:write",
  "sandbox/open.openSandboxOf": "key manager sandbox:write",
  "sandbox/open.requireSandbox": "user sandbox:write",
  "sandbox/rehearsal.getRehearsal": "user sandbox:write",
  "sandbox/rehearsal.setRehearsal": "user sandbox:write",
  "sandbox/reset.resetSandbox": "user sandbox:write",
  "sandbox/switch.switchTestMode": "user licenses:read",
  "saved-view/change.changeView": "own user",
  "saved-view/delete.deleteView": "own user",
  "saved-view/list.listSavedViews": "own user",
  "saved-view/save.saveView": "own user",
  "saved-view/viewer.requireViewer": "own user",
  "search/search.searchAllObjects": "admin:read",
  "search/search.searchOwnObjects": "user licenses:read",
  "user/act-as.startActing": "resellers:act",
  "user/act-as.stopActing": "user licenses:read",
  "user/change-email.requestEmailChange": "own user",
  "user/change-password.changeOwnPassword": "own user",
  "user/create-admin.createAdmin": "admins:write",
  "user/create.createUser": "user manager write",
  "user/disconnect-issuer.disconnectIssuer": "admins:write",
  "user/find-demo-admin.findDemoAdmin": "admin:read",
  "user/invite-again.inviteUserAgain": "user manager write",
  "user/list.listUsers": "user manager read",
  "user/manager.requireOwnUser": "own user",
  "user/manager.requirePasswordManager": "password manager",
  "user/own-factors.confirmTotp": "own user",
  "user/own-factors.getOwnFactors": "own user",
  "user/own-factors.removeTotp": "own user",
  "user/own-factors.replaceRecoveryCodes": "own user",
  "user/own-factors.startTotp": "own user",
  "user/own-passkeys.addPasskey": "own user",
  "user/own-passkeys.listOwnPasskeys": "own user",
  "user/own-passkeys.removePasskey": "own user",
  "user/own-passkeys.startPasskey": "own user",
  "user/own-sessions.endOtherSessions": "own user",
  "user/own-sessions.endOwnSession": "own user",
  "user/own-sessions.listOwnSessions": "own user",
  "user/remove-factors.removeUserFactors": "password manager",
  "user/change-profile.changeOwnProfile": "own user",
  "user/reset-password.resetUserPassword": "password manager",
  "user/set-disabled.setUserDisabled": "user manager write",
  "user/set-factor-rule.setFactorRule": "user manager write",
  "user/set-role.setUserRole": "user manager write",
  "wallet/adjust.adjustWallet": "money:move",
  "wallet/balance.getBalance": "wallet:read",
  "wallet/payment-settings.getPaymentGuide": "wallet:read",
  "wallet/payment-settings.listCurrencyPaymentSettings": "admin:read",
  "wallet/payment-settings.setCurrencyPaymentSettings": "money:move",
  "wallet/decide-top-up.decideTopUp": "money:move",
  "wallet/list-entries.listWalletEntries": "wallet:read",
  "wallet/list-open-operations.listOwnOpenOperations": "wallet:read",
  "wallet/list-top-up-requests.countOpenTopUps": "admin:read",
  "wallet/refund.refundCharge": "money:move",
  "wallet/request-top-up.requestTopUp": "user wallet:write",
  "wallet/runway.getWalletRunway": "wallet:read",
  "wallet/set-low-balance-threshold.setWalletLowBalanceThreshold": "user wallet:write",
  "wallet/statement-csv.streamStatement": "wallet:read",
  "wallet/statement.getStatement": "wallet:read",
  "wallet/statement.openStatement": "wallet:read",
  "wallet/top-up.topUpWallet": "money:move",
  "wallet/check-ledger.checkLedger": "system",
  "wallet/verify.verifyWallets": "admin:read",
  "webhook/create.createWebhookEndpoint": "webhooks:write",
  "webhook/deliver.attemptDelivery": "system",
  "webhook/deliver.claimDueDeliveries": "system",
  "webhook/delete.deleteWebhookEndpoint": "webhooks:write",
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

const resellerId = 1 as ResellerId;

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
    const result = service(contextOf(actor), { resellerId });
    await (Symbol.asyncIterator in Object(result) ? (result as AsyncGenerator).next() : result);
    return "allowed";
  } catch (error) {
    return (error as { code?: string }).code === "permission_denied" ? "denied" : "allowed";
  }
}

const without = (anyOf: readonly Scope[]) =>
  allScopes.filter((held) => !anyOf.includes(held) && !(anyOf.includes("licenses:verify") && held === "licenses:read"));
/** Scopes of which a key needs one; none: no key may call it. */
const scopesOf = (rule: Rule | readonly Scope[]): readonly Scope[] =>
  typeof rule === "string" ? allScopes.filter((scope) => rule === scope || rule === `${scope} and wallet:spend`) : rule;

const system: Actor = { kind: "system", name: "test" };
const acting = (role: ResellerRole): Actor => ({ ...actors.user(resellerId, role), actingAdmin: true }) as Actor;

/** Each role at its reseller or in the administration, and each admin on a reseller's pages and acting as it. */
const people: readonly (readonly [string, Actor])[] = [
  ...resellerRoleNames.map((role) => [`a reseller's ${role}`, actors.user(resellerId, role)] as const),
  ...adminRoleNames.flatMap((role) => [
    [`an admin with the role ${role}`, actors.admin(null, role)] as const,
    [`an admin with the role ${role} on a reseller's pages`, actors.admin(resellerId, role)] as const,
    [`an admin with the role ${role} who acts as a reseller`, acting(role === "support" ? "viewer" : "owner")] as const,
  ]),
];

/** What the table of roles allows; null: depends on the input. */
function isExpected(rule: Rule | readonly Scope[], actor: Actor): boolean | null {
  if (actor.kind !== "reseller_user" && actor.kind !== "admin") return expect.unreachable();
  const atReseller: readonly string[] =
    actor.kind === "reseller_user"
      ? resellerRoles[actor.role].permissions
      : actor.resellerId === null
        ? []
        : resellerRoles[actor.role === "support" ? "viewer" : "owner"].permissions;
  const asAdmin: readonly string[] = actor.kind === "admin" ? adminRoles[actor.role].permissions : [];
  const isActing = actor.kind === "reseller_user" && actor.actingAdmin === true;
  if (typeof rule !== "string") return rule.some((scope) => atReseller.includes(scope));
  if (rule === "any key" || rule === "system") return false;
  if (rule === "own user") return !isActing;
  if (rule === "password manager") return asAdmin.includes("users:write");
  const [, manager, access] = /^(user|key) manager (.+)$/.exec(rule) ?? [];
  if (manager === "key")
    return actor.kind === "admin" && actor.resellerId === null ? null : atReseller.includes(access ?? "");
  if (manager === "user") {
    if (actor.kind === "admin") return asAdmin.includes(access === "read" ? "admin:read" : "users:write");
    return !isActing && atReseller.includes(`team:${access}`);
  }
  const needed = rule.replace(/^user /, "").split(" and ");
  return needed.every((one) => atReseller.includes(one) || asAdmin.includes(one));
}

test("every service is in the table, and the table names nothing else", () => {
  const known = [...Object.keys(permissions), ...withoutPermission];
  expect([...services.keys()].toSorted()).toEqual(known.toSorted());
});

describe.each([...services].filter(([name]) => !withoutPermission.has(name)))("%s", (name, service) => {
  const rule = permissions[name] ?? "system";
  const scopes = scopesOf(rule);

  test("allows each role what the table of roles does, before doing anything else", async () => {
    for (const [who, actor] of people) {
      const expected = isExpected(rule, actor);
      if (expected === null) continue;
      expect(`${who}: ${await call(service, actor)}`).toBe(`${who}: ${expected ? "allowed" : "denied"}`);
    }
  });

  test("allows a key what its scopes do, and the operator what belongs to no reseller", async () => {
    const key = (held: readonly Scope[]) => call(service, actors.apiKey(resellerId, held));
    expect(await key(without(scopes))).toBe(rule === "any key" ? "allowed" : "denied");
    for (const scope of scopes) expect(await key([scope])).toBe("allowed");
    const isOperators =
      rule === "system" ||
      rule === "password manager" ||
      /^(?:key|user) manager /.test(String(rule)) ||
      adminPermissions.some((permission) => permission === rule);
    expect(await call(service, system)).toBe(isOperators ? "allowed" : "denied");
    const delegate = onBehalfOf({ actor: system } as ServiceContext, resellerId, allScopes).actor;
    expect(await call(service, delegate)).toBe(scopes.length > 0 ? "allowed" : "denied");
  });
});

test("contract 1.13: a key that is bound to one license can call four services, even if it had every scope", async () => {
  const bound = actors.boundKey(resellerId, 1 as LicenseId);
  const open: string[] = [];
  for (const [name, service] of services) {
    if (!withoutPermission.has(name) && (await call(service, bound)) === "allowed") open.push(name);
  }
  expect(open.toSorted()).toEqual([
    "api-key/me.getCallingKey",
    "diagnostics/report.reportDiagnostics",
    "license/status.getLicenseStatus",
    "license/verify.verifyLicense",
  ]);
});

test("on behalf of a reseller the operator has only the scopes that the task needs", async () => {
  const ctx = onBehalfOf({ actor: system } as ServiceContext, resellerId, ["licenses:write"]);
  for (const [name, service] of services) {
    const permission = permissions[name];
    if (permission === undefined) continue;
    expect(`${name} ${await call(service, ctx.actor)}`).toBe(
      `${name} ${scopesOf(permission).includes("licenses:write") ? "allowed" : "denied"}`,
    );
  }
  for (const actor of [actors.apiKey(resellerId), actors.user(resellerId), ctx.actor]) {
    expect(() => onBehalfOf({ actor } as ServiceContext, resellerId, ["licenses:write"])).toThrow(/Only an admin/);
  }
});
