import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { getRuntime } from "#lib/runtime.ts";
import { consent } from "../support/consent.ts";
import { type GarbageRequest, garbage, type RightValues } from "../support/garbage.ts";
import { type Answer, verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, reconcile } from "../support/world.ts";

/** Another one throws other garbage: `FUZZ_SEED=… FUZZ_RUNS=… npx playwright test garbage`. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_271);
const RUNS = Number(process.env.FUZZ_RUNS ?? 200);
/** On a machine that has no time for all of them, these are as many as there is time for. */
const AT_MOST_MS = Number(process.env.FUZZ_MS ?? 4_000);

/** All that a request may change, but for what is kept of the request itself and what the worker writes. */
async function digest({ resellerId }: Reseller): Promise<string> {
  const [row] = await getRuntime().db.query<{ digest: string }>({
    text: `
      select md5(string_agg(row, ';' order by row)) as digest from (
        select w::text as row from wallets w where reseller_id = $1
        union all select e::text from ledger_entries e join wallets w on w.id = e.wallet_id where w.reseller_id = $1
        union all select l::text from licenses l where reseller_id = $1
        union all select b::text from bundle_instances b where reseller_id = $1
        union all select o::text from operations o where reseller_id = $1
        union all select v::text from events v where reseller_id = $1
        union all select r::text from diagnostics_reports r where reseller_id = $1
        union all select row(w.id, url, description, kinds, concurrency, ordered, paused_at, secret)::text
                    from webhook_endpoints w where reseller_id = $1) rows`,
    values: [resellerId],
  });
  return row?.digest ?? "";
}

/** What a request of these succeeds with; some of it is another reseller's. */
async function rightValues(reseller: Reseller, stranger: Reseller): Promise<RightValues> {
  const plain = await reseller.newLicense({ ip: reseller.source });
  const metered = await reseller.newLicense({ product: { pricePerCore: 650n } });
  const foreign = await stranger.newLicense();
  const addresses = Array.from({ length: 30 }, () => reseller.newAddress());
  const bundle = await reseller.newBundle([{}, { pricePerCore: 100n }]);
  const { data } = (
    await reseller.dispatch.post("bundle.register", {
      bundle_id: bundle.bundle_id,
      cycle_id: bundle.cycle_id,
      ip_address: reseller.newAddress(),
    })
  ).body;
  const url = "https://hooks.invalid/";
  const endpoint = String((await reseller.path.post("/webhook-endpoints", { url })).body.id);
  await consent(endpoint);
  const { events } = (await reseller.path.get("/events")).body as unknown as { events: readonly { id: string }[] };
  const { operation_id } = await reseller.newLicense({ ip: "192.0.2.20" });
  await reconcile(operation_id);
  const licenses = [plain, metered, foreign];
  return {
    id: [endpoint, operation_id, ...events.slice(0, 3).map(({ id }) => id), "whe_2147483647", `evt_${randomUUID()}`],
    operation_id: [operation_id, randomUUID()],
    expected_price: [10, 10, "10", 0.5],
    product_id: [plain.product_id, metered.product_id],
    cycle_id: [plain.cycle_id, metered.cycle_id, bundle.cycle_id],
    bundle_id: [bundle.bundle_id],
    bundle_instance_id: [data.bundle_instance_id, data.bundle_instance_id, 2_147_483_647],
    license_id: licenses.map(({ license_id }) => license_id),
    license_key: licenses.map(({ license_key }) => license_key),
    ip_address: addresses,
    new_ip: addresses,
    cores: [1, 2, 32],
    notes: ["rack 7", ""],
    reason: ["unpaid", ""],
    hostname: ["web1.example.com"],
    server: ["web1.example.com"],
    os: ["Debian 12"],
    kernel: ["6.1"],
    cpu_cores: [4],
    memory: ["8GB"],
    disk_free: ["512MB"],
    uptime: ["3 days"],
    sent_at: ["2027-01-31T00:00:00Z"],
    limit: [1, 1000],
    cursor: [
      Buffer.from("1").toString("base64url"),
      Buffer.from(`999999999999999:evt_${randomUUID()}`).toString("base64url"),
    ],
    status: ["active", "paused"],
    type: [plain.type],
    q: ["a", "%"],
    expires_within: [1, 36_500],
    kind: ["license.activated"],
    url: [url],
    description: ["Billing"],
    events: [["license.renewed"], []],
    concurrency: [1],
    ordered: [true],
    event: ["wallet.low_balance"],
    webhook_endpoint_id: [endpoint],
  };
}

function expectContract(api: "path" | "dispatch", { method }: GarbageRequest, answer: Answer): void {
  const { status, body, text } = answer;
  expect([2, 4], `${status} ${text.slice(0, 500)}`).toContain(Math.floor(status / 100));
  if (method === "HEAD") expect(text).toBe("");
  if (method === "HEAD" || status < 400) return;
  expect(body).toEqual({
    ...(api === "dispatch" ? { success: false } : {}),
    error: true,
    code: expect.stringMatching(/^[A-Z]+(_[A-Z]+)*$/),
    message: expect.stringMatching(/^\S.*[.!?]$/s),
    details: expect.any(Object),
  });
  for (const detail of Object.values(body.details)) expect(String(detail)).toMatch(/\S/);
}

for (const api of ["path", "dispatch"] as const) {
  test(`whatever is sent to the ${api} interface, no answer is a 5xx or of another form, and an error changes nothing (contract 1.3, 1.7; seed ${SEED})`, async ({
    newReseller,
  }) => {
    const reseller = await newReseller({ funds: "1000000" });
    const right = await rightValues(reseller, await newReseller());
    const keys = { own: reseller.apiKey, none: null, wrong: `${reseller.apiKey.slice(0, -1)}!` };
    const verdicts = new Map<string, number>();
    let sent = 0;
    let before = await digest(reseller);
    await fc.assert(
      fc.asyncProperty(garbage(api, right), async ({ key, ...request }) => {
        const answer = await reseller[api].send(request, { key: keys[key] });
        const verdict = verdictOf(answer);
        sent += 1;
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
        expectContract(api, { key, ...request }, answer);
        const after = await digest(reseller);
        if (answer.status >= 400) expect(after).toBe(before);
        before = after;
      }),
      { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: AT_MOST_MS, markInterruptAsFailure: false },
    );
    // Garbage that never gets past the door would test the door alone.
    if (sent < RUNS) return;
    expect(verdicts.get("200")).toBeGreaterThan(sent / 10);
    expect(verdicts.size).toBeGreaterThan(8);
  });
}
