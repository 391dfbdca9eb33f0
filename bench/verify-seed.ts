import { randomBytes } from "node:crypto";
import pg from "pg";
import type { ResellerId } from "#lib/domain/ids.ts";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { createReseller } from "#lib/services/reseller/create.ts";

export interface VerifyWorkload {
  readonly apiKey: string;
  /** JSON bodies in random order, each for an active license at its own address. */
  readonly bodies: readonly string[];
}

/** More than any server answers per minute here. */
const RATE_LIMIT_PER_MINUTE = 1_000_000;

/** Seeds the environment's database with one reseller, its key and its active licenses. */
export async function seedVerifyWorkload(counts: {
  readonly licenses: number;
  readonly bodies: number;
}): Promise<VerifyWorkload> {
  const { db, contextFor } = getRuntime();
  // Without the application's timeouts, which a loaded machine would exceed.
  const database = new pg.Client({ connectionString: process.env.DATABASE_URL });
  try {
    await database.connect();
    await seedCatalog(db);
    const operator = contextFor({ kind: "system", name: "bench" }, { requestId: "bench" });
    const { resellerId } = await createReseller(operator, {
      name: "Benchmark",
      email: "bench@license-desk.example",
      currency: "USD",
    });
    const { apiKey } = await createResellerApiKey(operator, {
      resellerId,
      name: "Benchmark",
      scopes: ["licenses:verify"],
      rateLimitPerMinute: RATE_LIMIT_PER_MINUTE,
    });
    await insertLicenses(database, resellerId, counts.licenses);
    return { apiKey, bodies: await sampleBodies(database, counts.bodies) };
  } finally {
    await database.end();
    await closeRuntime();
  }
}

async function insertLicenses(database: pg.Client, resellerId: ResellerId, count: number): Promise<void> {
  const keys = Array.from({ length: count }, () => createLicenseKey(randomBytes));
  // Without address claims, which triggers would write one by one and verifications do not read.
  await database.query("alter table licenses disable trigger user");
  await database.query(
    `
      insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, hostname, cores,
                            issued_at, anchored_at, expires_at, provisioned_at)
      select k.key, $2, c.product_id, c.id, host('10.0.0.0'::inet + k.n), 'host' || k.n || '.example',
             case when c.core_metered then 1 end, now(), now(), now() + interval '1 year', now()
        from unnest($1::text[]) with ordinality as k (key, n)
        join (select b.id, b.product_id, p.core_metered, row_number() over () - 1 as place, count(*) over () as total
                from billing_cycles b join products p on p.id = b.product_id) c on k.n % c.total = c.place`,
    [keys, resellerId],
  );
  await database.query("alter table licenses enable trigger user");
  await database.query(
    `insert into paid_terms (license_id, reseller_id, months, starts_at, ends_at)
     select id, reseller_id, 12, anchored_at, expires_at from licenses where cores is not null`,
  );
  await database.query("vacuum analyze");
}

async function sampleBodies(database: pg.Client, count: number): Promise<string[]> {
  const { rows } = await database.query<{ license_key: string; ip_address: string }>(
    "select key as license_key, ip_address from licenses order by random() limit $1",
    [count],
  );
  return rows.map((row) => JSON.stringify(row));
}
