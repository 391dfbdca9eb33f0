import type { DispatchErrorCode } from "#lib/http/error-table.ts";
import { whileWalletIsLocked } from "#tests/support/locks.ts";
import { withoutWallet } from "../support/faults.ts";
import type { Answer } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, type ResellerOptions, setLicense, untilClaimed } from "../support/world.ts";

interface World {
  readonly reseller: Reseller;
  readonly newReseller: (options?: ResellerOptions) => Promise<Reseller>;
}

type Provocation = readonly [status: number, provoke: (world: World) => Promise<Answer>];

const absent = 2_147_483_647;
const post =
  (endpoint: string, fields: Record<string, string | number> = {}) =>
  ({ reseller }: World) =>
    reseller.dispatch.post(endpoint, fields);

async function registerOn(reseller: Reseller, ip_address: string): Promise<Answer> {
  const { product_id, cycle_id } = await reseller.newProduct();
  return reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address });
}

/** Two requests with one idempotency key: the second while the first still waits for its provider. */
async function overlap(reseller: Reseller): Promise<Answer> {
  const { product_id, cycle_id } = await reseller.newProduct();
  const request = { product_id, cycle_id, ip_address: "192.0.2.21" };
  const send = () => reseller.dispatch.post("license.register", request, { idempotencyKey: "one" });
  const first = send();
  await untilClaimed(reseller, "one");
  const second = await send();
  await first;
  return second;
}

/** Status as the documents say (dispatch-interface.md#errors, contract 3.2 and 3.13), and what brings it about. */
const provocations = {
  MISSING_API_KEY: [401, ({ reseller }) => reseller.dispatch.get("balance", {}, { key: null })],
  INVALID_API_KEY: [401, ({ reseller }) => reseller.dispatch.get("balance", {}, { key: "lk_live_x" })],
  NO_PERMISSION: [
    403,
    async ({ newReseller }) => (await newReseller({ scopes: ["bundles:read"] })).dispatch.get("balance"),
  ],
  METHOD_NOT_ALLOWED: [405, ({ reseller }) => reseller.dispatch.get("license.renew")],
  UNKNOWN_ENDPOINT: [404, ({ reseller }) => reseller.dispatch.get("license.delete")],
  MISSING_PRODUCT_ID: [400, post("license.register")],
  MISSING_CYCLE_ID: [400, post("license.register", { product_id: 1 })],
  MISSING_IP_ADDRESS: [400, post("license.register", { product_id: 1, cycle_id: 1 })],
  MISSING_LICENSE_ID: [400, post("license.renew")],
  MISSING_NEW_IP: [400, post("license.change_ip", { license_id: 1 })],
  MISSING_CORES: [400, post("license.change_core", { license_id: 1 })],
  MISSING_AUTO_RENEW: [400, post("license.set_auto_renew", { license_id: 1 })],
  MISSING_BUNDLE_ID: [400, post("bundle.register")],
  MISSING_BUNDLE_INSTANCE_ID: [400, post("bundle.renew")],
  MISSING_OPERATION_ID: [400, ({ reseller }) => reseller.dispatch.get("operation.info")],
  OPERATION_NOT_FOUND: [
    404,
    ({ reseller }) => reseller.dispatch.get("operation.info", { operation_id: "00000000-0000-4000-8000-000000000000" }),
  ],
  OPERATION_IN_PROGRESS: [
    409,
    async ({ reseller }) => {
      const { license_id } = await reseller.newLicense({ ip: "192.0.2.21" });
      return reseller.dispatch.post("license.renew", { license_id });
    },
  ],
  INVALID_IP_ADDRESS: [400, post("license.change_ip", { license_id: 1, new_ip: "::1" })],
  INVALID_PARAMETER: [400, post("license.renew", { license_id: "1e3" })],
  PRODUCT_NOT_FOUND: [404, post("license.register", { product_id: absent, cycle_id: 1, ip_address: "10.0.0.1" })],
  CYCLE_NOT_FOUND: [
    404,
    async ({ reseller }) => {
      const { product_id } = await reseller.newProduct();
      const request = { product_id, cycle_id: absent, ip_address: "10.0.0.1" };
      return reseller.dispatch.post("license.register", request);
    },
  ],
  BUNDLE_NOT_FOUND: [404, post("bundle.register", { bundle_id: absent, cycle_id: 1, ip_address: "10.0.0.1" })],
  LICENSE_NOT_FOUND: [404, post("license.renew", { license_id: absent })],
  REGISTRATION_FAILED: [400, ({ reseller }) => registerOn(reseller, "192.0.2.10")],
  INSUFFICIENT_BALANCE: [400, async ({ newReseller }) => registerOn(await newReseller({ funds: "9.99" }), "10.0.0.1")],
  PRICE_CHANGED: [
    409,
    async ({ reseller }) => {
      const { license_id } = await reseller.newLicense();
      return reseller.dispatch.post("license.renew", { license_id, expected_price: 0.01 });
    },
  ],
  IP_CHANGE_FAILED: [
    400,
    async ({ reseller }) => {
      const { license_id } = await reseller.newLicense();
      return reseller.dispatch.post("license.change_ip", { license_id, new_ip: "192.0.2.10" });
    },
  ],
  CORE_CHANGE_FAILED: [400, post("license.change_core", { license_id: 1, cores: 33 })],
  NOT_CORE_METERED: [
    400,
    async ({ reseller }) => {
      const { license_id } = await reseller.newLicense();
      return reseller.dispatch.post("license.change_core", { license_id, cores: 2 });
    },
  ],
  INVALID_STATE: [
    409,
    async ({ reseller }) => {
      const { license_id } = await reseller.newLicense();
      await setLicense(license_id, "terminated");
      return reseller.dispatch.post("license.renew", { license_id });
    },
  ],
  PROVIDER_REJECTED: [
    400,
    async ({ reseller }) => {
      const { license_id } = await reseller.newLicense();
      await setLicense(license_id, { movedTo: "192.0.2.10" });
      return reseller.dispatch.post("license.renew", { license_id });
    },
  ],
  PROVIDER_UNAVAILABLE: [503, ({ reseller }) => registerOn(reseller, "192.0.2.60")],
  RATE_LIMITED: [
    429,
    async ({ newReseller }) => {
      const reseller = await newReseller({ rateLimit: 1 });
      await reseller.dispatch.get("balance");
      return reseller.dispatch.get("balance");
    },
  ],
  PAYLOAD_TOO_LARGE: [413, post("license.renew", { license_id: 1, ignored: "x".repeat(70_000) })],
  UNSUPPORTED_MEDIA_TYPE: [
    415,
    ({ reseller }) => reseller.dispatch.post("license.renew", {}, { headers: { "content-type": "text/csv" } }),
  ],
  IDEMPOTENCY_KEY_REUSED: [
    422,
    async ({ reseller }) => {
      const options = { idempotencyKey: "one" };
      await reseller.dispatch.post("license.renew", { license_id: 1 }, options);
      return reseller.dispatch.post("license.renew", { license_id: 2 }, options);
    },
  ],
  IDEMPOTENCY_IN_PROGRESS: [409, ({ reseller }) => overlap(reseller)],
  UNAVAILABLE: [
    503,
    ({ reseller }) => whileWalletIsLocked(reseller, () => registerOn(reseller, reseller.newAddress())),
  ],
  SERVER_ERROR: [500, async ({ newReseller }) => (await withoutWallet(newReseller)).reseller.dispatch.get("balance")],
} as const satisfies Record<DispatchErrorCode, Provocation>;

for (const [code, [status, provoke]] of Object.entries<Provocation>(provocations)) {
  test(`${code} is ${status}, in the dispatch interface's error body (contract 3.1, dispatch-interface.md#errors)`, async ({
    reseller,
    newReseller,
  }) => {
    const answer = await provoke({ reseller, newReseller });
    expect(answer.body).toEqual({
      success: false,
      error: true,
      code,
      message: expect.stringMatching(/^\S.*[.!?]$/s),
      details: expect.any(Object),
    });
    expect(answer.status).toBe(status);
    if ([429, 503].includes(status) || code === "OPERATION_IN_PROGRESS")
      expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    // Support finds it in the log by this.
    if (status === 500) expect(answer.body.details.request_id).toBe(answer.headers["x-request-id"]);
    expect(answer.text).not.toMatch(/\bat \S+:\d+|node_modules|select |prisma|sqlstate/i);
  });
}
