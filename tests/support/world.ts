/** A database with a catalog, and contexts of all kinds of actors. */
import { randomBytes } from "node:crypto";
import { memoryLimiters } from "#lib/adapters/limiter-memory.ts";
import { createSandboxProvider } from "#lib/adapters/provider-sandbox.ts";
import { type CycleOffer, listBundleOffers, listProductOffers } from "#lib/db/catalog/offer.ts";
import { type Database, openDatabase } from "#lib/db/connection/client.ts";
import { openSandboxBooks } from "#lib/db/provider/sandbox.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import type { Actor, ServiceContext } from "#lib/services/context.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { createTestProvider } from "#lib/test-provider.ts";
import { createCatalogDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { createTestProcess, type TestProcess } from "./process.ts";
import { createResellerWorld, type ResellerWorld } from "./reseller.ts";
import { START } from "./start.ts";

export const PEPPER = "a pepper of tests, long enough for one";
export const INBOX_AFTER_MS = 3_600_000;
/** Timeout for the sandbox provider. */
const PROVIDER_TIMEOUT_MS = 5;

export type Offer = { readonly productId: number; readonly cycleId: number; readonly cycle: CycleOffer };
/** A line of the sandbox provider's books. */
export interface BookLine {
  readonly reference: string;
  readonly product: string | undefined;
  readonly ipAddress: string | undefined;
  readonly cores: number | null | undefined;
  readonly state: string | undefined;
}
export type ContextChange = Partial<Omit<ServiceContext, "db">>;

export interface World {
  readonly url: string;
  readonly db: Database;
  readonly provider: LicenseProvider;
  readonly operator: ServiceContext;
  /** The process that contexts belong to. */
  readonly process: TestProcess;
  /** It dies and is replaced. */
  crash(): Promise<void>;
  now(): Date;
  setClock(now: Date | string): void;
  advance(ms: number): void;
  context(actor: Actor, change?: ContextChange): ServiceContext;
  /** A new reseller, by default with this balance. */
  reseller(options?: { readonly currency?: string; readonly funds?: string }): Promise<ResellerWorld>;
  /** An unused address. */
  freshIp(): LicenseAddress;
  offer(reseller: ResellerId, type: string, months?: number): Promise<Offer>;
  bundleOffer(
    reseller: ResellerId,
    name?: string,
    months?: number,
  ): Promise<{ readonly bundleId: number; readonly cycleId: number; readonly cycle: CycleOffer }>;
  books(): Promise<readonly BookLine[]>;
  /** Leaves the database to another world. */
  leave(): Promise<TestDatabase>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly poolSize?: number;
  /** Another world's database, dropped with this one. */
  readonly database?: TestDatabase;
  /** Avoids the other world's addresses. */
  readonly firstAddress?: number;
  /** When its clock starts: `START` by default; `new Date()` where the database's clock judges what services date. */
  readonly start?: Date;
}

export async function newWorld(options: WorldOptions = {}): Promise<World> {
  const database = options.database ?? (await createCatalogDatabase());
  const db = openDatabase({
    url: database.url,
    poolSize: options.poolSize ?? 8,
    applicationName: "license-desk tests",
  });
  const provider = createSandboxProvider({ books: openSandboxBooks(db), timeoutMs: PROVIDER_TIMEOUT_MS });
  const testProvider = createTestProvider(db, PROVIDER_TIMEOUT_MS);
  let now = options.start ?? START;
  let addresses = options.firstAddress ?? 0;
  let resellers = 0;
  let process = createTestProcess(db);

  const world: World = {
    url: database.url,
    db,
    provider,
    get operator() {
      return world.context({ kind: "system", name: "test" });
    },
    get process() {
      return process;
    },
    async crash() {
      await process.die();
      process = createTestProcess(db);
    },
    now: () => now,
    setClock(time) {
      now = new Date(time);
    },
    advance(ms) {
      now = new Date(now.getTime() + ms);
    },
    context: (actor, change = {}) => ({
      db,
      actor,
      requestId: "req_test",
      sessionId: null,
      address: null,
      now: () => now,
      leases: process.leases,
      randomBytes: (count) => randomBytes(count),
      providers: new Map([provider, testProvider].map((one) => [one.name, one])),
      hostProbe: {
        read: () => Promise.reject(new Error("not in this test")),
        readState: async () => ({ disks: [], silentFolders: [], clockOffsetMs: 0 }),
      },
      mailLimiter: memoryLimiters.limiter({ name: "mails", windowMs: 3_600_000, maxTracked: 100 }),
      hostResolver: { resolve: () => Promise.reject(new Error("not in this test")) },
      settings: {
        apiKeyPepper: PEPPER,
        inboxAfterMs: INBOX_AFTER_MS,
        liveDiagnostics: false,
      },
      claim: null,
      ...change,
    }),
    async reseller({ currency = "USD", funds = "1000" } = {}) {
      resellers += 1;
      const { resellerId } = await createReseller(world.operator, {
        name: `Reseller ${resellers}`,
        email: `reseller${resellers}@example.com`,
        currency,
      });
      if (Number(funds) > 0) await topUpWallet(world.operator, { resellerId, amount: funds, note: "funds" });
      return createResellerWorld(world, resellerId);
    },
    freshIp() {
      addresses += 1;
      return `198.18.${addresses >> 8}.${addresses & 255}` as LicenseAddress;
    },
    async offer(reseller, type, months = 1) {
      const product = (await listProductOffers(db, reseller)).find((offer) => offer.type === type);
      const cycle = product?.cycles.find((offer) => offer.months === months);
      if (!product || !cycle) throw new Error(`no ${type} for ${months} months`);
      return { productId: product.productId, cycleId: cycle.cycleId, cycle };
    },
    async bundleOffer(reseller, name = "Performance Server", months = 1) {
      const bundle = (await listBundleOffers(db, reseller)).find((offer) => offer.name === name);
      const cycle = bundle?.cycles.find((offer) => offer.months === months);
      if (!bundle || !cycle) throw new Error(`no ${name} for ${months} months`);
      return { bundleId: bundle.bundleId, cycleId: cycle.cycleId, cycle };
    },
    books: () => readLines(provider),
    async leave() {
      await db.close();
      return database;
    },
    async close() {
      await db.close();
      await database.drop();
    },
  };
  return world;
}

async function readLines(provider: LicenseProvider): Promise<BookLine[]> {
  const lines: BookLine[] = [];
  for await (const page of provider.bookPages(async () => new Map())) {
    for (const { reference, facts } of page) {
      const { product, address: ipAddress, cores, state } = facts;
      lines.push({ reference, product, ipAddress, cores, state });
    }
  }
  return lines;
}
