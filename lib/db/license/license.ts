import { anyLength } from "#lib/db/connection/any-length.ts";
import { batchPerDatabase, Procession } from "#lib/db/connection/batch.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { columnsOf } from "#lib/db/connection/collected-rows.ts";
import { as, boolean, int, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind, defineFindValue, defineList } from "#lib/db/connection/define.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import { SuspendedBy } from "#lib/db/generated/enums.ts";
import { providerOf } from "#lib/db/provider/test-mode.ts";
import { priceTerms, priceTermsColumns } from "#lib/db/renewal/price-columns.ts";
import type { BundleInstanceId, CycleId, LicenseId, OperationId, ProductId, ResellerId } from "#lib/domain/ids.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { licenseFacts } from "./facts.ts";
import { labelColumns, selectLabels } from "./labels.ts";

const licenseRow = {
  ...licenseFacts,
  ...priceTerms,
  id: as<LicenseId>(int),
  key: as<LicenseKey>(text),
  productId: as<ProductId>(int),
  productName: text,
  type: text,
  coreMetered: boolean,
  workers: int,
  provider: text,
  providerSku: text,
  /** The provider's own name of the license, if any. */
  providerReference: nullable(text),
  /** Null for a member of a bundle. */
  cycleId: nullable(as<CycleId>(int)),
  /** The license's cycle, or its bundle's. */
  cycleMonths: int,
  bundleInstanceId: nullable(as<BundleInstanceId>(int)),
  ipAddress: text,
  hostname: text,
  cores: nullable(int),
  notes: text,
  ...labelColumns,
  externalId: nullable(text),
  issuedAt: timestamp,
  anchoredAt: timestamp,
  suspendedBy: nullable(oneOf(SuspendedBy)),
  suspensionReason: text,
  openOperationId: nullable(as<OperationId>(text)),
  /** The license's, or its bundle's. */
  autoRenew: boolean,
  /** Changes with every update of the row. */
  version: text,
};
/** A license with its product and cycle. Its status is derived: `deriveLicenseStatus(row, now)`. */
export type LicenseRow = RowOf<typeof licenseRow>;

const columns = `
  l.id, l.key, l.product_id as "productId", p.name as "productName", p.slug as type, p.core_metered as "coreMetered",
  p.workers, ${providerOf} as provider, p.provider_sku as "providerSku", l.provider_reference as "providerReference", l.cycle_id as "cycleId", c.months as "cycleMonths",
  l.bundle_instance_id as "bundleInstanceId", l.ip_address as "ipAddress", l.hostname, l.cores, l.notes,
  l.external_id as "externalId", ${selectLabels},
  l.issued_at as "issuedAt", l.anchored_at as "anchoredAt", l.expires_at as "expiresAt",
  l.provisioned_at as "provisionedAt", l.suspended_at as "suspendedAt", l.suspended_by as "suspendedBy",
  l.suspension_reason as "suspensionReason", l.terminated_at as "terminatedAt", l.open_operation_id as "openOperationId",
  coalesce(b.auto_renew, l.auto_renew) as "autoRenew", ${priceTermsColumns("l")},
  l.xmin::text as version`;

const tables = `
  licenses l
  join resellers r on r.id = l.reseller_id
  join products p on p.id = l.product_id
  left join bundle_instances b on b.id = l.bundle_instance_id and b.reseller_id = l.reseller_id
  join billing_cycles c on c.id = coalesce(l.cycle_id, b.cycle_id)`;

export const findLicense = defineFind("find_license", licenseRow)<[resellerId: ResellerId, id: number]>`
      select ${columns} from ${tables} where l.id = $2 and l.reseller_id = $1`;

export const findLicenseByKey = defineFind("find_license_by_key", licenseRow)<
  [resellerId: ResellerId, key: LicenseKey]
>`
      select ${columns} from ${tables} where l.key = $2 and l.reseller_id = $1`;

/** The one that is not terminated. */
export const findLicenseByExternalId = defineFind("find_license_by_external_id", licenseRow)<
  [resellerId: ResellerId, externalId: string]
>`
      select ${columns} from ${tables}
       where l.reseller_id = $1 and l.external_id = $2 and coalesce(l.terminated_at, 'infinity') = 'infinity'`;

/** Those not terminated, by id. `type`, `onlyLicenseId`: only this product, this license. */
export const findLicensesByAddress = defineList("find_licenses_by_address", licenseRow).values(
  (
    resellerId: ResellerId,
    search: {
      readonly ipAddress: string;
      readonly type: string | null;
      readonly onlyLicenseId?: LicenseId | null;
      readonly limit: number;
    },
  ) => {
    const { ipAddress, type, onlyLicenseId, limit } = search;
    return [resellerId, ipAddress, type, onlyLicenseId ?? null, limit];
  },
)`
      select ${columns} from ${tables}
            where l.reseller_id = $1 and l.ip_address::inet = $2::inet and l.terminated_at is null and ($3::text is null or p.slug = $3)
              and ($4::int is null or l.id = $4)
            order by l.id limit $5`;

/** The license's reseller; null: no such license. */
export const findOwner = defineFindValue("find_license_owner", { resellerId: as<ResellerId>(int) })<
  [licenseId: LicenseId]
>`
      select reseller_id as "resellerId" from licenses where id = $1`;

const verificationFacts = { ...licenseFacts, id: as<LicenseId>(int), ipAddress: text, type: text };
export type VerificationFacts = RowOf<typeof verificationFacts>;

interface VerificationQuestion {
  readonly resellerId: ResellerId;
  readonly key: LicenseKey;
}

const listVerificationFactsStatement = statement("list_verification_facts", { ...verificationFacts, place: int })`
      select q.place::int, l.id, l.ip_address as "ipAddress", p.slug as type, l.expires_at as "expiresAt",
             l.provisioned_at as "provisionedAt", l.suspended_at as "suspendedAt", l.terminated_at as "terminatedAt"
        from unnest(${anyLength("$1::text[]")}, ${anyLength("$2::int[]")}) with ordinality as q (key, reseller_id, place)
        join licenses l on l.key = q.key and l.reseller_id = q.reseller_id
        join products p on p.id = l.product_id`;

async function listVerificationFacts(
  db: Database,
  questions: readonly VerificationQuestion[],
): Promise<(VerificationFacts | null)[]> {
  const rows = await db.query(listVerificationFactsStatement, columnsOf(questions, "key", "resellerId"));
  const facts = questions.map((): VerificationFacts | null => null);
  for (const row of rows) facts[row.place - 1] = row;
  return facts;
}

/** Longer lists cost less for each look-up; the second call goes on if the first one's connection hangs. */
const findInBatch = batchPerDatabase(listVerificationFacts, { inFlight: 2, procession: new Procession(1) });

export function findVerificationFacts(
  db: Database,
  resellerId: ResellerId,
  key: LicenseKey,
): Promise<VerificationFacts | null> {
  return findInBatch(db, { resellerId, key });
}

export const listMembers = defineList("list_members", licenseRow)<[resellerId: ResellerId, bundleInstanceId: number]>`
      select ${columns} from ${tables}
             left join bundle_members m on m.bundle_id = b.bundle_id and m.product_id = l.product_id
            where l.bundle_instance_id = $2 and l.reseller_id = $1 order by m.position, l.id`;
