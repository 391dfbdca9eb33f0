import type { OperationRow } from "#lib/db/operation/operation.ts";
import { compareWallets } from "#lib/db/wallet/comparison.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { getLicense } from "#lib/services/license/get.ts";
import { type RegistrationResult, registerLicense } from "#lib/services/license/register.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "./actors.ts";
import type { ContextChange, World } from "./world.ts";

export interface RegisterOptions {
  readonly type?: string;
  readonly months?: number;
  readonly ip?: LicenseAddress | string;
  readonly externalId?: string;
  /** Minor units; all actors but API keys must agree to a price. */
  readonly agreedPrice?: bigint;
}

/** One reseller's contexts and data. Money in minor units. */
export interface ResellerWorld {
  readonly id: ResellerId;
  context(change?: ContextChange): ServiceContext;
  admin(change?: ContextChange): ServiceContext;
  register(options?: RegisterOptions, change?: ContextChange): Promise<RegistrationResult>;
  license(id: number): ReturnType<typeof getLicense>;
  spendable(): Promise<bigint>;
  wallet(): ReturnType<typeof getWallet>;
  /** By start, then by end. */
  operations(): Promise<OperationRow[]>;
  /** Kinds in order. */
  eventKinds(): Promise<string[]>;
  /** Amounts, oldest first. */
  entries(): Promise<bigint[]>;
  /** Null if the wallet agrees with its ledger and holds. */
  difference(): Promise<unknown>;
}

export function createResellerWorld(world: World, id: ResellerId): ResellerWorld {
  const { db } = world;
  const reseller: ResellerWorld = {
    id,
    context: (change) => world.context(actors.apiKey(id), change),
    admin: (change) => world.context(actors.admin(id), change),
    async register({ type = "control_panel", months = 1, ip = world.freshIp(), ...order } = {}, change) {
      const { productId, cycleId } = await world.offer(id, type, months);
      const input = { productId, cycleId, ipAddress: ip as LicenseAddress, ...order };
      return registerLicense(reseller.context(change), input);
    },
    license: (licenseId) => getLicense(reseller.context(), { licenseId }),
    async spendable() {
      const { posted, held } = await getWallet(db, id);
      return posted - held;
    },
    wallet: () => getWallet(db, id),
    operations: () =>
      db.query(
        sql<OperationRow>(`select o.* from operations o where o.reseller_id = $1
                order by o.created_at, (select min(e.sequence) from events e where e.operation_id = o.id)`),
        [id],
      ),
    async eventKinds() {
      const text =
        "select kind from events where reseller_id = $1 and kind <> 'wallet.topped_up' order by occurred_at, sequence";
      return (await db.query(sql<{ kind: string }>(text), [id])).map(({ kind }) => kind);
    },
    async entries() {
      const text = `select e.amount from ledger_entries e join wallets w on w.reseller_id = e.reseller_id
                     where w.reseller_id = $1 order by e.id`;
      return (await db.query(sql<{ amount: bigint }>(text), [id])).map(({ amount }) => amount);
    },
    async difference() {
      const { differences } = await compareWallets(db);
      return differences.find(({ resellerId }) => resellerId === id) ?? null;
    },
  };
  return reseller;
}
