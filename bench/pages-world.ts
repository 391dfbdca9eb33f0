/** A License Desk with the given number of licenses: embedded database, built server and credentials. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import { loadSecrets, openDataDir } from "#lib/embedded/data-dir.ts";
import { type DataDirLock, lockDataDir } from "#lib/embedded/data-dir-lock.ts";
import { startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { migrationsDir } from "#lib/server/prepare-database.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { createAdmin } from "#lib/services/user/create-admin.ts";
import { sql } from "#tests/sql.ts";
import { createSessionCookie } from "#tests/support/session-cookie.ts";
import { seedLarge } from "../scripts/large-seed/seed.ts";
import { optionsOfNpmStart, startChildServer } from "./child-server.ts";
import { type ExampleOf, makeExamples } from "./pages-examples.ts";

const DAY_MS = 86_400_000;
const RESELLERS = 12;
const RATE_LIMIT_PER_MINUTE = 1_000_000;

/** The reseller with the most licenses, and its newest one. */
type Owner = Omit<ExampleOf, "apiKeyId"> & { readonly email: string };

type Cookie = Awaited<ReturnType<typeof createSessionCookie>>;

export interface PagesWorld {
  readonly licenses: number;
  readonly url: string;
  readonly pid: number;
  /** Of the reseller with four fifths of the licenses. */
  readonly apiKey: string;
  readonly cookies: { readonly reseller: Cookie; readonly admin: Cookie };
  /** An example for each page with `[…]` in its folder. */
  readonly examples: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface PagesWorldOptions {
  readonly licenses: number;
  /** Where the database is kept for the next run; null: a temporary folder that `stop` removes. */
  readonly keepDir: string | null;
  readonly log: (line: string) => void;
}

export async function startPagesWorld({ licenses, keepDir, log }: PagesWorldOptions): Promise<PagesWorld> {
  const cleanups: (() => unknown)[] = [];
  const stop = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    const dataDir = openDataDir(
      keepDir === null ? mkdtempSync(join(tmpdir(), "license-desk-pages-")) : join(keepDir, String(licenses)),
    );
    if (keepDir === null) cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const lock: DataDirLock = await lockDataDir(dataDir);
    cleanups.push(() => lock.release());
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    cleanups.push(() => postgres.stop());
    await applyMigrations({ databaseUrl: postgres.url, migrationsDir });
    const { apiKeyPepper, authSecret, encryptionKey } = loadSecrets(dataDir);
    const environment = {
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      API_KEY_PEPPER: apiKeyPepper,
      NEXTAUTH_SECRET: authSecret,
      ENCRYPTION_KEY: encryptionKey,
      LOG_LEVEL: "error",
      WORKER: "off",
    };
    Object.assign(process.env, environment);
    if (postgres.firstStart) {
      log(`Filling a database with ${licenses} licenses.`);
      await fill(postgres.url, licenses, log);
      postgres.completeFirstStart();
    }
    const ways = await createAccess();
    const serverFile = join(import.meta.dirname, "..", "server.ts");
    const server = await startChildServer(() => [...optionsOfNpmStart(), serverFile], environment);
    cleanups.push(server.stop);
    return { licenses, url: server.url, pid: server.pid, ...ways, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const operator = () => getRuntime().contextFor({ kind: "system", name: "bench" }, { requestId: "bench" });

async function fill(databaseUrl: string, licenses: number, log: (line: string) => void): Promise<void> {
  try {
    await seedLarge(operator(), { databaseUrl, licenses, resellers: RESELLERS, log });
  } finally {
    await closeRuntime();
  }
}

async function createAccess(): Promise<Pick<PagesWorld, "apiKey" | "cookies" | "examples">> {
  const { db } = getRuntime();
  try {
    const [largest] = await db.query(
      sql<Owner>(`
        select l.reseller_id as "resellerId", u.id as "userId", u.email, max(l.id) as "licenseId"
          from licenses l join users u on u.reseller_id = l.reseller_id group by 1, 2, 3 order by count(*) desc limit 1`),
      [],
    );
    if (!largest) throw new Error("the database has no licenses");
    const { resellerId, userId, licenseId } = largest;
    const { apiKey, apiKeyId } = await createResellerApiKey(operator(), {
      resellerId,
      name: "Benchmark",
      scopes: ["licenses:read"],
      expiresAt: new Date(Date.now() + DAY_MS),
      rateLimitPerMinute: RATE_LIMIT_PER_MINUTE,
    });
    const email = `${randomUUID()}@bench.example`;
    const password = randomBytes(12).toString("hex");
    const admin = await createAdmin(operator(), { email, name: "Benchmark", password });
    return {
      apiKey,
      cookies: {
        reseller: await createSessionCookie(db, largest),
        admin: await createSessionCookie(db, { ...admin, email }),
      },
      examples: await makeExamples(operator(), { resellerId, userId, licenseId, apiKeyId }),
    };
  } finally {
    await closeRuntime();
  }
}
