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

/**
 * Every row that belongs to a reseller, table by table: those that name it, and those that refer to such a row. The
 * catalog of the database says which.
 */
export async function digestTenant(resellerId: number): Promise<Record<string, string>> {
  const { db } = getRuntime();
  const references = await db.query(
    sql<{
      table: string;
      column: string;
      target: string;
      key: string;
    }>(`select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as target, k.attname as key
             from pg_constraint c
             join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
             join pg_attribute k on k.attrelid = c.confrelid and k.attnum = c.confkey[1]
            where c.contype = 'f' and c.connamespace = 'public'::regnamespace
            order by 1, 2`),
    [],
  );
  const tables = [...new Set(references.flatMap(({ table, target }) => [table, target]))].toSorted();
  const owned = (table: string, above: readonly string[]): string | null => {
    if (table === "resellers") return "id = $1";
    const own = references.filter((reference) => reference.table === table && !above.includes(reference.target));
    const named = own.find(({ target }) => target === "resellers");
    if (named) return `${named.column} = $1`;
    const ways = own.flatMap(({ column, target, key }) => {
      const condition = owned(target, [...above, table]);
      return condition === null ? [] : [`${column} in (select ${key} from ${target} where ${condition})`];
    });
    return ways.length === 0 ? null : ways.join(" or ");
  };
  const digests: Record<string, string> = {};
  for (const table of tables) {
    const condition = owned(table, []);
    if (condition === null) continue;
    const [row] = await db.query(
      sql<{ rows: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ';' order by t::text)), '') as rows from ${table} t where ${condition}`,
      ),
      [resellerId],
    );
    digests[table] = row?.rows ?? "";
  }
  return digests;
}
