import { randomUUID } from "node:crypto";
import { consent } from "./consent.ts";
import type { RightValues } from "./garbage.ts";
import { type Reseller, reconcile } from "./world.ts";

/** What a request of these succeeds with; some of it is another reseller's. */
export async function rightValues(reseller: Reseller, stranger: Reseller): Promise<RightValues> {
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
    confirmation: [`renew-${plain.license_id}-1`],
    protocolVersion: ["2025-11-25"],
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
    customer_name: ["Acme GmbH", "شركة", ""],
    customer_email: ["billing@acme.example", ""],
    customer_reference: ["C-1042", ""],
    customer: ["acme gmbh", "C-1042"],
    tags: ["eu,vip", ["eu", "مهم"], ""],
    tag: ["eu", "VIP"],
    external_id: ["order-1003", "注文 1004", ""],
    auto_renew: [true, false],
    dry_run: [true, false, "false", ""],
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
    format: ["standard"],
    url: [url],
    description: ["Billing"],
    events: [["license.renewed"], []],
    concurrency: [1],
    ordered: [true],
    event: ["wallet.low_balance"],
    webhook_endpoint_id: [endpoint],
  };
}
