import type { PathErrorCode } from "#lib/http/error-table.ts";
import { whileWalletIsLocked } from "#tests/support/locks.ts";
import { withoutWallet } from "../support/faults.ts";
import type { Answer } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, type ResellerOptions, untilClaimed } from "../support/world.ts";

interface World {
  readonly reseller: Reseller;
  readonly newReseller: (options?: ResellerOptions) => Promise<Reseller>;
}

type Provocation = readonly [status: number, provoke: (world: World) => Promise<Answer>];

const UNKNOWN_KEY = "LIC-00000-00000-00000-00000";

async function overlap(reseller: Reseller): Promise<Answer> {
  const { license_key } = await reseller.newLicense();
  const request = { license_key, ip_address: "192.0.2.21" };
  const send = () => reseller.path.post("/license/update", request, { idempotencyKey: "one" });
  const first = send();
  await untilClaimed(reseller, "one");
  const second = await send();
  await first;
  return second;
}

/** Status as the documents say (path-interface.md#errors, contract 2.7), and what brings it about. */
const provocations = {
  UNAUTHORIZED: [401, ({ reseller }) => reseller.path.get("/licenses", {}, { key: null })],
  FORBIDDEN: [403, async ({ newReseller }) => (await newReseller({ scopes: ["wallet:read"] })).path.get("/licenses")],
  NOT_FOUND: [404, ({ reseller }) => reseller.path.get("/license/status", { license_key: UNKNOWN_KEY })],
  INVALID_REQUEST: [400, ({ reseller }) => reseller.path.post("/license/verify", {})],
  INVALID_LICENSE: [400, ({ reseller }) => reseller.path.post("/license/verify", { license_key: "LIC-1" })],
  METHOD_NOT_ALLOWED: [405, ({ reseller }) => reseller.path.post("/licenses", {})],
  PAYLOAD_TOO_LARGE: [413, ({ reseller }) => reseller.path.post("/license/verify", { x: "x".repeat(70_000) })],
  UNSUPPORTED_MEDIA_TYPE: [
    415,
    ({ reseller }) => reseller.path.post("/license/verify", {}, { headers: { "content-type": "text/csv" } }),
  ],
  IDEMPOTENCY_KEY_REUSED: [
    422,
    async ({ reseller }) => {
      const options = { idempotencyKey: "one" };
      const update = (hostname: string) =>
        reseller.path.post("/license/update", { license_key: UNKNOWN_KEY, hostname }, options);
      await update("a.example");
      return update("b.example");
    },
  ],
  IDEMPOTENCY_IN_PROGRESS: [409, ({ reseller }) => overlap(reseller)],
  OPERATION_IN_PROGRESS: [
    409,
    async ({ reseller }) => {
      const { license_key } = await reseller.newLicense({ ip: "192.0.2.21" });
      return reseller.path.post("/license/update", { license_key, ip_address: reseller.newAddress() });
    },
  ],
  RATE_LIMITED: [
    429,
    async ({ newReseller }) => {
      const reseller = await newReseller({ rateLimit: 1 });
      await reseller.path.get("/licenses");
      return reseller.path.get("/licenses");
    },
  ],
  UNAVAILABLE: [
    503,
    async ({ reseller }) => {
      const { license_key } = await reseller.newLicense();
      const request = { license_key, ip_address: reseller.newAddress() };
      return whileWalletIsLocked(reseller, () => reseller.path.post("/license/update", request));
    },
  ],
  SERVER_ERROR: [
    500,
    async ({ newReseller }) => {
      const { reseller, license } = await withoutWallet(newReseller);
      const request = { license_key: license.license_key, ip_address: reseller.newAddress() };
      return reseller.path.post("/license/update", request);
    },
  ],
} as const satisfies Record<PathErrorCode, Provocation>;

for (const [code, [status, provoke]] of Object.entries<Provocation>(provocations)) {
  test(`${code} is ${status}, in the path interface's error body (contract 2.7, path-interface.md#errors)`, async ({
    reseller,
    newReseller,
  }) => {
    const answer = await provoke({ reseller, newReseller });
    expect(answer.body).toEqual({
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
