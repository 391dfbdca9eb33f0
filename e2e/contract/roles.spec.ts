import {
  type AdminPermission,
  type AdminRole,
  actingRole,
  adminRoleNames,
  adminRoles,
  type Permission,
  type ResellerPermission,
  resellerRoleNames,
  resellerRoles,
} from "#lib/domain/roles.ts";
import { type BuiltAction, listActions } from "../support/build.ts";
import { type JsonSchema, learnActions } from "../support/fuzz/web.ts";
import { newSession } from "../support/session.ts";
import { expect, test } from "../support/test.ts";

/** The permission of every server action: a reseller's, an admin's or either. Null: of everyone who is signed in, or not. */
const permissions: Readonly<Record<string, Permission | readonly [ResellerPermission, AdminPermission] | null>> = {
  "(auth)/confirm-email confirm": null,
  "(auth)/confirm-email readChange": null,
  "(auth)/forgot-password requestLink": null,
  "(auth)/new-password setPassword": null,
  "(auth)/set-password readLink": null,
  "(auth)/set-password setPassword": null,
  "(auth)/stop-messages stop": null,
  " readBalance": "wallet:read",
  " readOwner": null,
  " readProof": null,
  " search": ["licenses:read", "admin:read"],
  " signOut": null,
  " stopActing": null,
  "api-keys create": "keys:write",
  "api-keys findLicenses": ["licenses:read", "admin:read"],
  "api-keys revoke": "keys:write",
  "api-keys rotate": "keys:write",
  "api-keys setRateLimit": "resellers:write",
  "api-keys setSpendingLimit": "wallet:write",
  "bundles/[id] changeAddress": "bundles:write",
  "bundles/[id] renew": "wallet:spend",
  "bundles/[id] setAutoRenew": "wallet:spend",
  "bundles/bulk countBundles": "bundles:read",
  "bundles/bulk quoteChange": "wallet:spend",
  "bundles/bulk startChange": "wallet:spend",
  "bundles/new register": "wallet:spend",
  "catalog addBundle": "catalog:write",
  "catalog addCycle": "catalog:write",
  "catalog addProduct": "catalog:write",
  "catalog editBundle": "catalog:write",
  "catalog editCycle": "catalog:write",
  "catalog editProduct": "catalog:write",
  "catalog retireBundle": "catalog:write",
  "catalog retireCycle": "catalog:write",
  "catalog retireProduct": "catalog:write",
  "catalog savePrices": "catalog:write",
  "jobs/[id] cancelJob": "licenses:write",
  "jobs/[id] createCommands": "keys:write",
  "jobs/[id] retryJob": "licenses:write",
  "jobs/[id] stopReverts": "licenses:write",
  "licenses/[id] changeAddress": "licenses:write",
  "licenses/[id] changeCores": "wallet:spend",
  "licenses/[id] readCoreQuote": "licenses:read",
  "licenses/[id] createForAgent": "keys:write",
  "licenses/[id] renew": "wallet:spend",
  "licenses/[id] setAutoRenew": "wallet:spend",
  "licenses/[id] setCustomer": "licenses:write",
  "licenses/[id] setNotes": "licenses:write",
  "licenses/[id] setTags": "licenses:write",
  "licenses/[id] suspend": "licenses:write",
  "licenses/[id] terminate": "licenses:terminate",
  "licenses/[id] unsuspend": "licenses:write",
  // Of an admin the selection's reseller is looked up first; lib/services/bulk/across-resellers.test.ts has what follows.
  "licenses/bulk countMatching": ["licenses:read", "admin:read"],
  "licenses/bulk listMovable": ["licenses:write", "admin:read"],
  "licenses/bulk quoteChange": ["wallet:spend", "admin:read"],
  "licenses/bulk startAddresses": ["licenses:write", "admin:read"],
  "licenses/bulk startChange": ["wallet:spend", "admin:read"],
  "licenses/import checkImport": "wallet:spend",
  "licenses/import startImport": "wallet:spend",
  "licenses/new register": "wallet:spend",
  "notifications markOne": null,
  "notifications markRead": null,
  "notifications readUnread": null,
  "outbox retry": "users:write",
  "outbox showLink": "users:write",
  "overview dismissFirstSteps": null,
  "providers add": "providers:write",
  "providers applyImport": "catalog:write",
  "providers edit": "providers:write",
  "providers previewImport": "catalog:write",
  "providers setDisabled": "providers:write",
  "providers testConnection": "providers:write",
  "reconciliation compareNow": "cases:decide",
  "reconciliation/[id] act": "cases:decide",
  "relocations start": "licenses:write",
  "resellers findResellers": "admin:read",
  "resellers/[id] adjust": "money:move",
  "resellers/[id] refund": "money:move",
  "resellers/[id] topUp": "money:move",
  "resellers/[id]/prices saveOwnPrices": "catalog:write",
  "resellers/[id]/settings actAs": "resellers:act",
  "resellers/[id]/settings saveProfile": "resellers:write",
  "resellers/[id]/settings saveRenewals": "resellers:write",
  "resellers/[id]/settings suspend": "resellers:write",
  "resellers/new create": "resellers:write",
  "settings addPasskey": null,
  "settings changeEmail": null,
  "settings changePassword": null,
  "settings confirmTotp": null,
  "settings endOthers": null,
  "settings endSession": null,
  "settings removePasskey": null,
  "settings removeTotp": null,
  "settings saveProfile": null,
  "settings replaceRecoveryCodes": null,
  "settings saveMessages": null,
  "settings startPasskey": null,
  "settings startTotp": null,
  "test-mode addPlayMoney": "sandbox:write",
  "test-mode advance": "sandbox:write",
  "test-mode rehearse": "sandbox:write",
  "test-mode reset": "sandbox:write",
  "test-mode switchMode": "licenses:read",
  "top-ups decide": "money:move",
  "top-ups setSettings": "money:move",
  "users create": ["team:write", "users:write"],
  "users inviteAgain": ["team:write", "users:write"],
  "users removeFactors": "users:write",
  "users resetPassword": "users:write",
  "users setDisabled": ["team:write", "users:write"],
  "users setRole": ["team:write", "users:write"],
  "users setTeamRule": ["team:write", "users:write"],
  "views change": null,
  "views remove": null,
  "views save": null,
  "wallet requestTopUp": "wallet:write",
  "wallet setRules": "wallet:write",
  "wallet setThreshold": "wallet:write",
  "webhooks countMissed": "webhooks:read",
  "webhooks create": "webhooks:write",
  "webhooks findLicenses": "licenses:read",
  "webhooks remove": "webhooks:write",
  "webhooks resend": "webhooks:write",
  "webhooks resendMissed": "webhooks:write",
  "webhooks rotate": "webhooks:write",
  "webhooks sendTest": "webhooks:write",
  "webhooks setPaused": "webhooks:write",
  "webhooks update": "webhooks:write",
  "webhooks verify": "webhooks:write",
};

const shortName = ({ name }: BuiltAction) =>
  name.replace(/^app\/(\(dashboard\)\/)?/, "").replace(/\/?[\w-]*actions\.ts /, " ");

/** What the schemas do not say: fields that are parsed before the permission is checked. */
const texts: Readonly<Record<string, string>> = {
  from: "198.18.0.1",
  to: "198.18.0.2",
  new_ip: "198.18.0.3",
  new_ips: "198.18.0.5",
  customerEmail: "ops@customer.example",
  ip_address: "198.18.0.4",
  typed_id: "lic_2000000000",
  operation_id: "00000000-0000-4000-8000-000000000000",
  since: "2027-01-31T00:00:00Z",
  method: "card",
  notice_days: "7",
  max_increase: "7",
  outcome: "reject",
  remaining: "1",
  cores: "2",
  months: "1",
  workers: "1",
  rate_limit: "60",
};
/** What an action takes instead. */
const inputs: Readonly<Record<string, object>> = {
  "api-keys create": { rate_limit: "" },
  "catalog addCycle": { bundle_id: undefined },
  "bundles/bulk quoteChange": { months: undefined },
  "bundles/bulk startChange": { months: undefined },
};

function rightValue(name: string, schema: JsonSchema): unknown {
  const { type, properties, items, anyOf, oneOf, allOf } = schema;
  const choices = anyOf ?? oneOf;
  if (schema.not) return undefined;
  if (choices?.[0]) return rightValue(name, choices[0]);
  if (allOf) return Object.assign({}, ...allOf.map((part) => rightValue(name, part)));
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (type === "null") return null;
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return 2_000_000_000;
  if (type === "array") return [rightValue(name, items ?? {})];
  if (properties) {
    return Object.fromEntries(Object.entries(properties).map(([field, part]) => [field, rightValue(field, part)]));
  }
  return texts[name] ?? "2000000000";
}

/** For a reseller an admin has all its rights but those on its team. */
const acting = (role: AdminRole) =>
  resellerRoles[actingRole(role)].permissions.filter((permission) => permission !== "team:write");

async function isDenied(url: string, action: BuiltAction, cookie: string, args: readonly unknown[]): Promise<boolean> {
  const answer = await fetch(url + action.page, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: url, "next-action": action.id, "content-type": "text/plain;charset=UTF-8" },
    body: JSON.stringify(args, (_, part) => part ?? "$undefined"),
  });
  const text = await answer.text();
  if (/"code":"(?:signed_out|proof_needed|internal)"/.test(text))
    throw new Error(`${action.name}: ${text.slice(-300)}`);
  return text.includes('"code":"permission_denied"');
}

function mayCall(rule: (typeof permissions)[string], held: readonly Permission[]): boolean {
  return rule === null || rule === undefined || [rule].flat().some((permission) => held.includes(permission));
}

test("every server action is in the table, which names nothing else", () => {
  expect(listActions().map(shortName).toSorted()).toEqual(Object.keys(permissions).toSorted());
});

test("every server action refuses the roles that may not call it, and no other", async ({ apiUrl, reseller }) => {
  test.setTimeout(300_000);
  test.skip(test.info().project.name === "api-next", "Server actions are Next's, whoever serves them.");
  const learned = learnActions();
  const people = [
    ...resellerRoleNames.map((role) => ({ role, of: reseller.resellerId, held: resellerRoles[role].permissions })),
    ...adminRoleNames.map((role) => ({ role, of: null, held: adminRoles[role].permissions })),
  ];
  const wrong: string[] = [];
  const callAll = async ({ role, of, held: own }: (typeof people)[number]) => {
    const cookie = await newSession(of, role);
    for (const action of listActions()) {
      const name = shortName(action);
      const rule = permissions[name] ?? null;
      if (rule === null) continue;
      const args = (learned[action.name] ?? []).map(({ name: argument, schema }) => {
        if (argument === "idempotencyKey") return undefined;
        const value = rightValue(argument, schema);
        return argument === "input" && inputs[name] ? Object.assign({}, value, inputs[name]) : value;
      });
      // The page names the reseller for whom an admin acts.
      const namesReseller = (learned[action.name] ?? []).some(
        ({ schema }) => "resellerId" in ((schema as JsonSchema).properties ?? {}),
      );
      const held = of === null && namesReseller ? [...own, ...acting(role as AdminRole)] : own;
      const denied = await isDenied(apiUrl, action, cookie, args);
      if (denied === mayCall(rule, held))
        wrong.push(`${name}: ${role} of ${of ?? "admins"} is ${denied ? "denied" : "let in"}`);
    }
  };
  await Promise.all(people.map(callAll));
  expect(wrong).toEqual([]);
});
