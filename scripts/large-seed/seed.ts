import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { createPastPartitions } from "#lib/db/partition/partitions.ts";
import { countCatalog } from "#lib/db/seed/catalog.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { everydayScopes } from "#lib/domain/scopes.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { withBareTables } from "./bare-tables.ts";
import { grownTables, statements } from "./rows.ts";

/** Identifies our resellers; the demonstration has another domain. */
const EMAIL_DOMAIN = "@large.license-desk.example";
const DEMO_EMAIL = "reseller@northwind.example";
const KEYS_A_STATEMENT = 50_000;
/** The largest reseller's key is used for measurements. */
const RATE_LIMIT_PER_MINUTE = 1_000_000;
const CURRENCIES = ["USD", "EUR", "GBP", "JPY"];

export interface LargeSeedOptions {
  readonly databaseUrl: string;
  readonly licenses: number;
  /** The first one gets four fifths of the licenses, the others share the rest. */
  readonly resellers: number;
  readonly log: (line: string) => void;
}

/** Credentials of the largest reseller. */
export interface LargeSeedAccess {
  readonly resellerId: ResellerId;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

/** Licenses from neither an earlier run nor the demonstration. */
export async function countLicensesOfOthers({ db }: ServiceContext): Promise<number> {
  const reseller = { email: { not: DEMO_EMAIL }, NOT: { email: { endsWith: EMAIL_DOMAIN } } };
  return db.prisma.license.count({ where: { reseller } });
}

/**
 * Seeds a large installation: licenses with consistent terms, renewals, charges and top-ups, and recent history. One
 * transaction, which locks the tables.
 */
export async function seedLarge(ctx: ServiceContext, options: LargeSeedOptions): Promise<LargeSeedAccess> {
  if ((await countCatalog(ctx.db)).products === 0) await seedCatalog(ctx.db);
  const { ids, access, apiKeyId } = await createResellers(ctx, options.resellers);
  await createPastPartitions(ctx.db, ctx.now());
  // A separate connection without the application's timeouts.
  const client = new pg.Client({ connectionString: options.databaseUrl, application_name: "license-desk seed" });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("set local timezone = 'UTC'");
    await client.query("set local maintenance_work_mem = '512MB'");
    await client.query("set local work_mem = '128MB'");
    // Makes the random choices repeatable.
    await client.query("select setseed(0.5)");
    await insertKeys(client, options.licenses);
    await client.query(
      `create temp table seed_resellers on commit drop as
       select place - 1 as place, id, case when place = 1 then $2::int end as api_key_id from unnest($1::int[]) with ordinality as r (id, place)`,
      [ids, apiKeyId],
    );
    await withBareTables(client, grownTables, async () => {
      for (const statement of statements) await runTimed(client, statement, options.log);
      options.log("Indexes and constraints.");
    });
    await client.query("commit");
    options.log("Statistics.");
    await client.query(`vacuum analyze ${[...grownTables, "wallets"].join(", ")}`);
    return access;
  } finally {
    // Also ends an incomplete transaction.
    await client.end();
  }
}

async function createResellers(ctx: ServiceContext, count: number) {
  const run = randomUUID().slice(0, 8);
  const password = randomBytes(12).toString("base64url");
  const ids: ResellerId[] = [];
  for (let place = 0; place < count; place++) {
    const { resellerId } = await createReseller(ctx, {
      name: place === 0 ? "Meridian Hosting" : `Partner ${place}`,
      email: `${run}-${place}${EMAIL_DOMAIN}`,
      currency: CURRENCIES[place % CURRENCIES.length] ?? "USD",
      password: place === 0 ? password : undefined,
    });
    ids.push(resellerId);
  }
  const resellerId = ids[0];
  if (resellerId === undefined) throw new Error("a seed needs a reseller");
  const key = { resellerId, name: "Large seed", scopes: everydayScopes, rateLimitPerMinute: RATE_LIMIT_PER_MINUTE };
  const { apiKey, apiKeyId } = await createResellerApiKey(ctx, key);
  return { ids, apiKeyId, access: { resellerId, email: `${run}-0${EMAIL_DOMAIN}`, password, apiKey } };
}

async function insertKeys(client: pg.Client, count: number): Promise<void> {
  await client.query("create temp table seed_keys (n int, key text) on commit drop");
  for (let from = 0; from < count; from += KEYS_A_STATEMENT) {
    const keys = Array.from({ length: Math.min(KEYS_A_STATEMENT, count - from) }, () => createLicenseKey(randomBytes));
    await client.query(
      "insert into seed_keys select $1::int + n, key from unnest($2::text[]) with ordinality k (key, n)",
      [from, keys],
    );
  }
  await client.query("analyze seed_keys");
}

async function runTimed(
  client: pg.Client,
  { title, sql, makes }: (typeof statements)[number],
  log: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  const { rowCount } = await client.query(sql);
  if (makes !== undefined) await client.query(`analyze ${makes}`);
  log(`${title}: ${rowCount} rows, ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
}
