/** A change names whom it changes: rows of others, alike in everything, stay as they are. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { UserId } from "#lib/domain/ids.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { digestTenant } from "#tests/support/digest-tenant.ts";
import { mailSettings } from "#tests/support/mails.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { fillServer } from "#tests/support/server.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createResellerApiKey } from "./api-key/create.ts";
import { revokeApiKey } from "./api-key/revoke.ts";
import { runBulkJob } from "./bulk/run.ts";
import { registerBundle } from "./bundle/register.ts";
import { changeLicenseIp } from "./license/change-ip.ts";
import { renewLicense } from "./license/renew.ts";
import { terminateLicense } from "./license/terminate.ts";
import { startRelocation } from "./relocation/start.ts";
import { setResellerSuspended } from "./reseller/settings.ts";
import { createUser } from "./user/create.ts";
import { removeUserFactors } from "./user/remove-factors.ts";
import { resetUserPassword } from "./user/reset-password.ts";
import { setUserDisabled } from "./user/set-disabled.ts";
import { setUserRole } from "./user/set-role.ts";
import { decideTopUp } from "./wallet/decide-top-up.ts";
import { refundCharge } from "./wallet/refund.ts";
import { requestTopUp } from "./wallet/request-top-up.ts";
import { createWebhookEndpoint } from "./webhook/create.ts";
import { deleteWebhookEndpoint } from "./webhook/delete.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const run = (text: string, ...values: unknown[]) => world.db.query(sql(text), values);
const operator = () => world.context({ kind: "system", name: "test" }, { settings: mailSettings(world) });
/** Without notices about another owner's access, which all owners get (access-mails.test.ts). */
const ownMails = "(select * from mails where kind <> 'team_access_changed')";
const perUser = [
  "access_links",
  "email_changes",
  ownMails,
  "pending_sign_ins",
  "recovery_codes",
  "sessions",
  "totp_factors",
];

/** A user with a row in each table of signing in. The token of a link or an email change is its user's email. */
async function addUser({ id }: ResellerWorld, role: "owner" | "viewer", name: string): Promise<UserId> {
  const user = { email: `${name}@example.com`, name, resellerId: id, role };
  const { userId } = await createUser(operator(), user);
  for (const insert of [
    "insert into sessions (id, user_id, expires_at, idle_at) values (substring(sha256($2::bytea)::text, 3, 32)::uuid, $1, 'infinity', 'infinity')",
    "insert into pending_sign_ins (token_hash, user_id, expires_at) values (sha256($2::bytea), $1, 'infinity')",
    "insert into totp_factors (user_id, secret, created_at, confirmed_at) values ($1, sha256($2::bytea), now(), now())",
    "insert into recovery_codes (user_id, hash) values ($1, sha256($2::bytea))",
    `insert into email_changes (user_id, new_email, new_password_hash, password_mark, old_token_hash, new_token_hash, created_at, expires_at)
     select u.id, 'new-' || u.email, u.password_hash, sha256(convert_to(u.password_hash, 'UTF8')), sha256($2::bytea || 'old'), sha256($2::bytea || 'new'),
            now(), 'infinity' from users u where u.id = $1`,
  ])
    await run(insert, userId, Buffer.from(name));
  return userId;
}

async function furnish(name: string) {
  const reseller = await world.reseller();
  const user = world.context(actors.user(reseller.id), { settings: mailSettings(world) });
  const [ownerId, otherId] = [
    await addUser(reseller, "owner", `${name}1`),
    await addUser(reseller, "owner", `${name}2`),
  ];
  const license = await reseller.register();
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  const key = await createResellerApiKey(user, { name, scopes: ["licenses:read"] });
  const { endpoint } = await createWebhookEndpoint(user, { url: "https://hooks.invalid/" });
  const topUp = await requestTopUp(user, { amount: "5", reference: name, method: "card" });
  const jobId = await startRelocation(user, { from: (await fillServer(world, reseller)).from, to: world.freshIp() });
  return { reseller, user, ownerId, otherId, license, key, endpoint, topUp, jobId };
}

async function digestUser(userId: UserId): Promise<unknown> {
  const rows = perUser.map(async (table) => [
    table,
    await run(`select t::text from ${table} t where t.user_id = $1 order by 1`, userId),
  ]);
  return Object.fromEntries(await Promise.all(rows));
}

test("what is changed of a user, a license or a reseller changes nothing of others", async () => {
  const [changed, bystander] = [await furnish("changed"), await furnish("bystander")];
  const { reseller, user, ownerId, otherId, license, key, endpoint, topUp, jobId } = changed;
  const others = () => Promise.all([digestTenant(world.db, bystander.reseller.id), digestUser(otherId)]);
  const before = await others();
  for (const rows of Object.values(before[1] as Record<string, unknown[]>)) expect(rows).not.toEqual([]);
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    emailConfirmed: async () => {
      for (const half of ["old", "new"])
        await run(
          "select confirm_email_change(sha256($1::bytea), $2, '')",
          Buffer.from(`changed1${half}`),
          world.now(),
        );
    },
    role: () => setUserRole(operator(), { userId: ownerId, role: "viewer" }),
    factors: () => removeUserFactors(operator(), { userId: ownerId }),
    password: () => resetUserPassword(operator(), { userId: ownerId }),
    disabled: () => setUserDisabled(operator(), { userId: ownerId, disabled: true }),
    enabled: () => setUserDisabled(operator(), { userId: ownerId, disabled: false }),
    renewed: () => renewLicense(reseller.context(), { licenseId: license.licenseId }),
    moved: () => changeLicenseIp(reseller.context(), { licenseId: license.licenseId, newIp: world.freshIp() }),
    refunded: () => refundCharge(operator(), { operationId: license.operation.id, reason: "goodwill" }),
    relocated: () => runBulkJob(world.operator, { jobId, turnMs: 60_000 }),
    toppedUp: () => decideTopUp(operator(), { requestId: topUp.id, decision: "approve" }),
    keyRevoked: () => revokeApiKey(user, { apiKeyId: key.apiKeyId }),
    endpointDeleted: () => deleteWebhookEndpoint(user, { endpointId: endpoint.id }),
    terminated: () => terminateLicense(reseller.context(), { licenseId: license.licenseId }),
  };
  for (const [name, change] of Object.entries(changes)) {
    await change();
    expect(await others(), name).toEqual(before);
  }
  for (const suspended of [true, false]) {
    await setResellerSuspended(world.operator, { resellerId: reseller.id, suspended, reason: "Unpaid" });
    expect((await others())[0], `suspended: ${suspended}`).toEqual(before[0]);
  }
});
