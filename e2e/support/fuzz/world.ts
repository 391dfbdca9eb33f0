import { randomUUID } from "node:crypto";
import { signRequest } from "#lib/domain/request-signature.ts";
import { scopes } from "#lib/domain/scopes.ts";
import { getRuntime } from "#lib/runtime.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { createSessionCookie } from "#tests/support/session-cookie.ts";
import { newUser } from "../dashboard.ts";
import type { RightValues } from "../garbage.ts";
import { rightValues } from "../right-values.ts";
import { newReseller, systemContext } from "../world.ts";
import { type Bystander, newBystander } from "./bystander.ts";
import type { FuzzRequest } from "./request.ts";

const MANY = 1_000_000;

/** What makes a request somebody's: headers by what is sent. */
export type Credential = (request: FuzzRequest) => FuzzRequest["headers"];

export interface FuzzWorld {
  /** Right values for a reseller, some of them a bystander's. */
  readonly right: RightValues;
  /** For an admin, who may change whatever can be named. */
  readonly adminRight: RightValues;
  readonly bystander: Bystander;
  readonly apiCredentials: readonly Credential[];
  readonly webCredentials: readonly Credential[];
  readonly adminCredentials: readonly Credential[];
  /** Brings back what requests may have ended: sessions, keys, money, what can be bought. */
  tend(): Promise<void>;
}

/** Fields of server actions and pages beside those of the API. */
function furtherValues(resellerId: number, userId: number, apiKeyId: number, licenseId: number): RightValues {
  const near = Array.from({ length: 12 }, (_, index) => index + 1);
  const nearIds = [...near, 1_001, 1_002];
  return {
    text: ["10", "0", "a", "Northwind", "2027-01-31"],
    count: [1, 2, 10],
    reseller_id: [resellerId],
    user_id: [userId, 1],
    api_key_id: [apiKeyId],
    seen_version: ["$undefined"],
    idempotency_key: ["$undefined", ...near.map(() => randomUUID())],
    session_id: [randomUUID()],
    ids: [licenseId, ...near],
    members: near,
    agreed_price: ["1000", "0", "6500"],
    agreed_total: ["1000", "0"],
    total: ["1000", "0"],
    wallet: ["0", "-1000"],
    amount: ["10.00", "0.5", "1000000000000"],
    price: ["10.00", "0"],
    setup_fee: ["0"],
    price_per_core: ["", "1.50"],
    months: ["1", "12"],
    currency: ["USD", "EUR", "JPY"],
    meant_address: [""],
    meant_amount: ["", "10.00", "1000000000000"],
    confirm_above: ["10000", "0"],
    provider: ["sandbox", "upstream"],
    name: ["upstream", "Northwind"],
    base_url: ["http://127.0.0.1:9/api/v1/"],
    api_key: ["ldk_live_x"],
    email: ["robin@user.example"],
    from: ["11.3.233.2", "2026-01-01"],
    to: ["11.3.233.9", "2027-01-01"],
    since: ["2026-01-31T00:00:00.000Z"],
    until: ["2027-01-31T00:00:00.000Z"],
    search: ["", "status=active", "q=a&sort=expires"],
    scopes: [...scopes],
    notice_days: ["7"],
    max_increase: ["10"],
    threshold: ["10.00"],
    expiring_soon: ["30, 7, 1"],
    renew_ahead: ["3"],
    percent: ["20"],
    fixed: ["1.00"],
    ...Object.fromEntries(
      ["case_id", "job_id", "request_id", "delivery_id", "endpoint_id"].map((name) => [name, nearIds]),
    ),
  };
}

/** Mostly what is right for the caller, and now and then what is a bystander's. */
function joined(own: RightValues, others: RightValues): RightValues {
  const names = [...new Set([...Object.keys(own), ...Object.keys(others)])];
  return Object.fromEntries(
    names.map((name) => {
      const values = own[name] ?? [];
      return [name, [...values, ...values, ...values, ...(others[name] ?? [])]];
    }),
  );
}

export async function newFuzzWorld(baseUrl: string): Promise<FuzzWorld> {
  const bystander = await newBystander(baseUrl);
  const reseller = await newReseller(baseUrl, { funds: String(MANY) });
  const { resellerId } = reseller;
  const { db } = getRuntime();
  const users = await Promise.all([newUser(resellerId), newUser(null), newUser(resellerId)]);
  const keys = [reseller.apiKey];
  for (const scope of scopes) keys.push((await reseller.newKey({ scopes: [scope] })).apiKey);
  const elsewhere = await reseller.newKey({ cidrs: ["203.0.113.0/24"] });
  const expendable = await reseller.newKey();
  const signer = await reseller.newKey({ signing: "required" });
  const own = await rightValues(reseller, await newReseller(baseUrl));
  const licenseId = Number(own.license_id?.[0]);
  const adminRight = { ...own, ...furtherValues(resellerId, users[0].userId, expendable.apiKeyId, licenseId) };
  const right = joined(adminRight, bystander.ids);
  let cookies: string[] = [];

  const withKey =
    (key: string): Credential =>
    ({ target }) =>
      /^\/api\/v1\/?\?/.test(target) ? [["x-api-key", key]] : [["authorization", `Bearer ${key}`]];
  const signed: Credential = (request) => {
    const { method, target, body } = request;
    const nowSeconds = Math.floor(Date.now() / 1000);
    const signature = signRequest(
      signer.signingSecret ?? "",
      { method, target, body: body ?? "" },
      nowSeconds,
      randomUUID(),
    );
    return [...withKey(signer.apiKey)(request), ["x-signature", signature]];
  };
  const misSigned: Credential = (request) => [...withKey(signer.apiKey)(request), ["x-signature", "t=1,n=,v1=zz"]];
  const wrongKey = withKey(`${reseller.apiKey.slice(0, -1)}!`);
  const nobody: Credential = () => [];
  const withoutSession: Credential = () => [["cookie", "license-desk.session-token=x.y.z"]];
  const withCookie =
    (index: number): Credential =>
    () => [["cookie", cookies[index] ?? ""]];
  const tend = async () => {
    await db.query(
      sql(
        "update users set disabled_at = null, one_time_password_until = case when id = $2 then now() + interval '1 day' end where id = any($1)",
      ),
      [users.map(({ userId }) => userId), users[2].userId],
    );
    await db.query(
      sql(
        "update api_keys set revoked_at = null, expires_at = null, rate_limit_per_minute = $2 where reseller_id = $1 and name = 'e2e'",
      ),
      [resellerId, MANY],
    );
    await db.query(sql("update resellers set suspended_at = null where id = $1"), [resellerId]);
    await db.query(sql("update wallets set suspended = false where reseller_id = $1"), [resellerId]);
    await db.query(sql("update providers set disabled_at = null"), []);
    await topUpWallet(systemContext(), { resellerId, amount: "100000", note: "" });
    const made = await Promise.all(users.map((user) => createSessionCookie(db, user)));
    cookies = made.map(({ name, value }) => `${name}=${value}`);
  };
  await tend();
  return {
    right,
    adminRight,
    bystander,
    apiCredentials: [
      ...keys.slice(0, 1).flatMap((key) => Array.from({ length: 30 }, () => withKey(key))),
      ...[...keys, elsewhere.apiKey, expendable.apiKey].map(withKey),
      ...[signed, signed, signed, misSigned, wrongKey, nobody],
    ],
    webCredentials: [withCookie(0), withCookie(0), withCookie(0), withCookie(2), nobody, withoutSession],
    adminCredentials: [withCookie(1)],
    tend,
  };
}
