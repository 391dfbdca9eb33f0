import type { Database } from "#lib/db/connection/client.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { OperationKind } from "#lib/domain/operation.ts";
import type { CaseFacts } from "#lib/domain/reconciliation.ts";
import { type CaseListItem, caseColumns, caseTables } from "./case.ts";

/** A case with what its actions would move. Money in minor units of `currency`. */
export interface CaseDetails extends CaseListItem {
  readonly fingerprint: string;
  readonly currency: Currency | null;
  /** What the reseller can spend now. */
  readonly spendable: bigint | null;
  readonly bundleInstanceId: number | null;
  readonly operationKind: OperationKind | null;
  /** Paid for the present term, refunds deducted. */
  readonly paid: bigint;
  /** Of the present term's price, what was given back. */
  readonly due: bigint;
  /** What the operation charges when it succeeds. */
  readonly price: bigint;
  /** Parts of the operation that the provider holds, of how many. */
  readonly partsHeld: number;
  readonly parts: number;
}

const detailColumns = `
  ${caseColumns}, c.fingerprint, w.currency, w.posted - w.held as spendable,
  coalesce(l.bundle_instance_id, o.bundle_instance_id) as "bundleInstanceId", o.kind as "operationKind",
  paid_for_term(l.id) as paid,
  coalesce((select sum(t.price) from operations_of_term(l.id) t), 0)::bigint - paid_for_term(l.id) as due,
  coalesce(o.price, 0) as price,
  (select count(*)::int from reconciliation_cases s
    where s.operation_id = c.operation_id and s.kind = c.kind and s.resolved_at is null) as "partsHeld",
  coalesce(jsonb_array_length(o.plan -> 'steps'), 0) as parts`;
const detailTables = `
  ${caseTables}
  left join wallets w on w.reseller_id = c.reseller_id
  left join operations o on o.id = c.operation_id`;

export async function findCase(db: Database, id: number): Promise<CaseDetails | null> {
  const [row] = await db.query<CaseDetails>({
    name: "find_case",
    text: `select ${detailColumns} from ${detailTables} where c.id = $1`,
    values: [id],
  });
  return row ?? null;
}

/** Open cases of a provider that were seen at `seenAt`, by id. */
export async function listSeenCases(
  db: Database,
  of: { readonly provider: string; readonly seenAt: Date },
  page: { readonly afterId: number; readonly limit: number },
): Promise<CaseDetails[]> {
  return db.query<CaseDetails>({
    name: "list_seen_cases",
    text: `select ${detailColumns} from ${detailTables}
            where c.provider = $1 and c.last_seen_at = $2 and c.resolved_at is null and c.id > $3 order by c.id limit $4`,
    values: [of.provider, of.seenAt, page.afterId, page.limit],
  });
}

/** Where the term of the other members of a bundle ends at the provider, by their open cases about nothing else. */
export interface SiblingCase {
  readonly id: number;
  readonly fingerprint: string;
  readonly provider: Pick<NonNullable<CaseFacts["provider"]>, "expires_at" | "expires_on">;
}

export async function listSiblingTermCases(
  db: Database,
  of: { readonly caseId: number; readonly licenseId: number },
): Promise<{ readonly siblings: SiblingCase[]; readonly members: number }> {
  const [row] = await db.query<{ siblings: SiblingCase[]; members: number }>({
    name: "list_sibling_term_cases",
    text: `
      with unit as (select id from licenses_of_unit($2) where terminated_at is null)
      select (select count(*)::int from unit) as members,
             coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'fingerprint', c.fingerprint, 'provider', c.facts -> 'provider') order by c.id)
                from reconciliation_cases c join unit on unit.id = c.license_id
               where c.kind = 'differs' and c.resolved_at is null and c.id <> $1 and c.facts -> 'differing' = '["term"]'), '[]') as siblings`,
    values: [of.caseId, of.licenseId],
  });
  return row ?? { siblings: [], members: 1 };
}
