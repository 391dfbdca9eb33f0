import type { Database } from "#lib/db/connection/client.ts";
import { findOperation, type OperationRow } from "#lib/db/operation/operation.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { scopes } from "#lib/domain/scopes.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { reconcileOperation, reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { releaseDead, staleLease } from "#tests/support/process.ts";
import { PROVIDER_TIMEOUT_MS, secrets } from "./server-process.ts";

/** A reseller with money, which buys what requests need. */
export interface Buyer {
  readonly resellerId: ResellerId;
  readonly ctx: ServiceContext;
}

/** The database under test, accessed as operator and as reseller. */
export interface Desk {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly operator: ServiceContext;
  /** @param funds major units of USD */
  newBuyer(funds: string): Promise<Buyer>;
  /** A key for one intent, which identifies its operations. */
  newKey(resellerId: ResellerId): Promise<{ readonly apiKey: string; readonly actor: string }>;
  freshAddress(): LicenseAddress;
  /**
   * Moves a license or bundle to an address, here and at the provider, which would reject the request or not respond.
   */
  place(what: { readonly licenseId: number } | { readonly bundleInstanceId: number }, address: string): Promise<void>;
  /** Frees the rehearsed addresses, here and at the provider. */
  clearRehearsed(): Promise<void>;
  /** Declares ended servers dead without waiting for their leases. */
  releaseDead(): Promise<void>;
  /** Reconciles until nothing is open, or some rounds have changed nothing. */
  reconcile(): Promise<void>;
  openOperations(): Promise<OperationRow[]>;
  /** Settles an operation with an outdated row, like a delayed reconciler. */
  reconcileLate(operation: OperationRow): Promise<void>;
  close(): Promise<void>;
}

const RECONCILIATION_ROUNDS = 3;

/** Opens a migrated, empty database as this process's runtime, one at a time. */
export async function openDesk(databaseUrl: string): Promise<Desk> {
  Object.assign(process.env, secrets, {
    DATABASE_URL: databaseUrl,
    PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
    LOG_LEVEL: "silent",
  });
  const runtime = getRuntime();
  const { db } = runtime;
  await seedCatalog(db);
  const operator = runtime.contextFor({ kind: "system", name: "faults" }, { requestId: "faults" });
  let buyers = 0;
  let addresses = 0;
  const run = (text: string, values: readonly unknown[] = []) => db.query(sql(text), values);

  const desk: Desk = {
    databaseUrl,
    db,
    operator,
    async newBuyer(funds) {
      buyers += 1;
      const identity = { name: `Buyer ${buyers}`, email: `buyer${buyers}@example.com`, currency: "USD" };
      const { resellerId } = await createReseller(operator, identity);
      await topUpWallet(operator, { resellerId, amount: funds, note: "funds" });
      const actor = {
        kind: "api_key",
        apiKeyId: 0 as ApiKeyId,
        firstKeyId: 0 as ApiKeyId,
        resellerId,
        scopes: new Set(scopes),
        licenseId: null,
        spendingKeyId: null,
      } as const;
      return { resellerId, ctx: runtime.contextFor(actor, { requestId: "faults" }) };
    },
    async newKey(resellerId) {
      const rateLimitPerMinute = 100_000;
      const key = await createResellerApiKey(operator, { resellerId, name: "intent", scopes, rateLimitPerMinute });
      return { apiKey: key.apiKey, actor: `key:${key.apiKeyId}` };
    },
    freshAddress() {
      addresses += 1;
      return `198.18.${addresses >> 8}.${addresses & 255}` as LicenseAddress;
    },
    async place(what, address) {
      const [column, id] = "licenseId" in what ? ["id", what.licenseId] : ["bundle_instance_id", what.bundleInstanceId];
      await run(
        `with moved as (update licenses set ip_address = $2 where ${column} = $1 returning key)
         update sandbox_provider_licenses b set ip_address = $2 from moved where b.reference = moved.key`,
        [id, address],
      );
      if ("bundleInstanceId" in what)
        await run("update bundle_instances set ip_address = $2 where id = $1", [id, address]);
    },
    async clearRehearsed() {
      const elsewhere = "'198.19.' || id / 256 || '.' || id % 256";
      await run(
        `with moved as (update licenses set ip_address = ${elsewhere}
                         where ip_address like '192.0.2.%' and bundle_instance_id is null returning key, ip_address)
         update sandbox_provider_licenses b set ip_address = moved.ip_address from moved where b.reference = moved.key`,
      );
      const rows = await db.query(
        sql<{ id: number }>("select id from bundle_instances where ip_address like '192.0.2.%'"),
        [],
      );
      for (const { id } of rows) await desk.place({ bundleInstanceId: id }, desk.freshAddress());
    },
    releaseDead: () => releaseDead(db),
    async reconcile() {
      for (let round = 0; round < RECONCILIATION_ROUNDS; round++) {
        await desk.releaseDead();
        const { asked } = await reconcileOperations(operator, { early: true });
        if (asked === 0) return;
      }
    },
    openOperations: () =>
      db.query(
        sql<OperationRow>("select * from operations where state in ('held', 'sent', 'unknown') order by created_at"),
        [],
      ),
    async reconcileLate(operation) {
      await reconcileOperation(operator, { operation, lease: staleLease(operation.lease_token) });
      if (!(await findOperation(db, operation.id))) throw new Error("the operation is gone");
    },
    close: closeRuntime,
  };
  return desk;
}
