import { as, bigint, boolean, int, json, jsonObject, list, nullable, oneOf, text } from "#lib/db/connection/columns.ts";
import { defineFind, defineGet, defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { BundleInstanceId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { operationKinds } from "#lib/domain/operation.ts";
import type { CaseFacts } from "#lib/domain/reconciliation.ts";
import { caseColumns, caseListItem, caseTables } from "./case.ts";

const caseDetails = {
  ...caseListItem,
  fingerprint: text,
  currency: nullable(as<Currency>(text)),
  /** The reseller's available balance. */
  spendable: nullable(bigint),
  /** False once a rejected registration has removed it. */
  licenseExists: boolean,
  /** Of the license. `licenses`: those that are live, or that ended with it. */
  bundle: nullable(json({ id: as<BundleInstanceId>(int), name: text, licenses: int })),
  operationKind: nullable(oneOf(operationKinds)),
  /** Paid for the current term and the time after it, minus refunds. */
  paid: bigint,
  /** What the end of the license refunded of that. */
  due: bigint,
  /** The operation's charge on success. */
  price: bigint,
  /** How many of the operation's parts the provider holds. */
  partsHeld: int,
  parts: int,
};
/** A case with the amounts that its actions would move. Money in minor units of `currency`. */
export type CaseDetails = RowOf<typeof caseDetails>;

/** $2: now. */
const detailColumns = `
  ${caseColumns}, c.fingerprint, w.currency, w.posted - w.held as spendable,
  l.id is not null as "licenseExists",
  (select jsonb_build_object('id', i.id, 'name', b.name, 'licenses', (
            select count(*) from licenses m
             where m.bundle_instance_id = i.id and m.reseller_id = i.reseller_id and m.terminated_at is not distinct from l.terminated_at))
     from bundle_instances i join bundles b on b.id = i.bundle_id
    where i.id = l.bundle_instance_id and i.reseller_id = l.reseller_id) as bundle,
  o.kind as "operationKind",
  paid_for_term(l.id, $2) as paid,
  coalesce((select sum(r.amount) from refunded_for_term(l.id, coalesce(l.terminated_at, $2)) r), 0)::bigint as due,
  coalesce(o.price, 0) as price,
  (select count(*)::int from reconciliation_cases s
    where s.operation_id = c.operation_id and s.kind = c.kind and s.resolved_at is null) as "partsHeld",
  coalesce(jsonb_array_length(o.plan -> 'steps'), 0) as parts`;
const detailTables = `
  ${caseTables}
  left join wallets w on w.reseller_id = c.reseller_id
  left join operations o on o.id = c.operation_id`;

export const findCase = defineFind("find_case", caseDetails)<[id: number, now: Date]>`
      select ${detailColumns} from ${detailTables} where c.id = $1`;

/** A provider's open cases with `seenAt` as their last time, by id. */
export const listSeenCases = defineList("list_seen_cases", caseDetails).values(
  (
    of: { readonly provider: string; readonly seenAt: Date },
    page: { readonly afterId: number; readonly limit: number },
  ) => [of.provider, of.seenAt, page.afterId, page.limit],
)`select ${detailColumns} from ${detailTables}
            where c.provider = $1 and c.last_seen_at = $2 and c.resolved_at is null and c.id > $3 order by c.id limit $4`;

const siblingCase = json({
  id: int,
  fingerprint: text,
  provider: as<Pick<NonNullable<CaseFacts["provider"]>, "expires_at" | "expires_on">>(jsonObject),
});

const siblingCases = { siblings: list(siblingCase), members: int };
/** Open term cases of the bundle's other members, with the provider's end. */
export type SiblingCase = RowOf<typeof siblingCases>["siblings"][number];

export const listSiblingTermCases = defineGet("list_sibling_term_cases", siblingCases).values(
  (of: { readonly caseId: number; readonly licenseId: number }) => [of.caseId, of.licenseId],
)`
      with unit as (select id from licenses_of_unit($2) where terminated_at is null)
      select (select count(*)::int from unit) as members,
             coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'fingerprint', c.fingerprint, 'provider', c.facts -> 'provider') order by c.id)
                from reconciliation_cases c join unit on unit.id = c.license_id
               where c.kind = 'differs' and c.resolved_at is null and c.id <> $1 and c.facts -> 'differing' = '["term"]'), '[]') as siblings`;
