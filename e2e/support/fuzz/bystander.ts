import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { newSession } from "../session.ts";
import { newReseller, type Reseller } from "../world.ts";

/** Nobody guesses ids from here on. */
const FAR_ID = 700_000_000;
/** The third and second byte of a reseller's addresses. */
const FAR_RESELLER_ID = 60_000;
const NEAR_ID = 1_000;

async function moveSequences(to: number, resellersTo: number): Promise<void> {
  await getRuntime().db.query(
    sql(`select setval(c.oid, case c.relname when 'resellers_id_seq' then $2::bigint else $1 end)
             from pg_class c where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace`),
    [to, resellersTo],
  );
}

export interface Bystander {
  readonly reseller: Reseller;
  /** What others may name, and must not reach. */
  readonly ids: Readonly<Record<string, readonly (string | number)[]>>;
}

/** Nothing is on its way to it: deliveries change rows by themselves. */
async function newQuietEndpoint(resellerId: number): Promise<string> {
  const now = new Date();
  const { id } = await getRuntime().db.prisma.webhookEndpoint.create({
    data: {
      resellerId,
      url: "https://hooks.invalid/",
      secret: new Uint8Array(32),
      sealId: randomUUID(),
      createdAt: now,
      updatedAt: now,
    },
    select: { id: true },
  });
  return `whe_${id}`;
}

/** The log of requests is written behind the answers. */
async function untilRequestsAreKept(apiKeyId: number): Promise<void> {
  const sent = 4;
  while ((await getRuntime().db.prisma.apiRequest.count({ where: { apiKeyId } })) < sent) await sleep(100);
}

/** A reseller with everything that one can have, that nobody who is signed in has a right to. */
export async function newBystander(baseUrl: string): Promise<Bystander> {
  await moveSequences(FAR_ID, FAR_RESELLER_ID);
  const reseller = await newReseller(baseUrl);
  const license = await reseller.newLicense({ product: { pricePerCore: 100n } });
  const bundle = await reseller.newBundle([{}]);
  const { bundle_id, cycle_id } = bundle;
  const address = reseller.newAddress();
  const { data } = (await reseller.dispatch.post("bundle.register", { bundle_id, cycle_id, ip_address: address })).body;
  await reseller.path.post("/diagnostics", { license_key: license.license_key, hostname: "web9.example.com" });
  await newSession(reseller.resellerId);
  const endpoint = await newQuietEndpoint(reseller.resellerId);
  const { events } = (await reseller.path.get("/events")).body as unknown as { events: readonly { id: string }[] };
  await moveSequences(NEAR_ID, NEAR_ID);
  await untilRequestsAreKept(reseller.apiKeyId);
  return {
    reseller,
    ids: {
      id: [endpoint, endpoint.slice("whe_".length), license.license_id, data.bundle_instance_id, events[0]?.id ?? ""],
      license_id: [license.license_id],
      license_key: [license.license_key],
      bundle_instance_id: [data.bundle_instance_id],
      webhook_endpoint_id: [endpoint],
      endpoint_id: [endpoint],
      ip_address: [address],
      reseller_id: [reseller.resellerId],
      api_key_id: [reseller.apiKeyId],
    },
  };
}
