import type { Database } from "#lib/db/connection/client.ts";
import { int } from "#lib/db/connection/columns.ts";
import { defineFindValue } from "#lib/db/connection/define.ts";
import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Ipv4Range } from "#lib/domain/ipv4-range.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import type { LicenseStatus } from "#lib/domain/license-status.ts";
import { queryOfAll, queryOfLabel } from "./search-index.ts";
import { type ResolvedWord, resolveWords } from "./search-words.ts";

export interface LicenseFilter {
  readonly status?: LicenseStatus;
  /** The product's slug. */
  readonly type?: string;
  readonly ipAddress?: string;
  readonly key?: LicenseKey;
  readonly externalId?: string;
  readonly addresses?: Ipv4Range;
  /**
   * Words, each of which begins the key (with or without LIC-), the address, the external id, or a word of product,
   * host name, notes, customer or tags, in any case; or is an id (`lic_57`, `57`, `bundle 2`) or the end of the key.
   */
  readonly text?: string;
  /** The whole name, email address or reference of a customer, in any case. */
  readonly customer?: string;
  /** As `parseTag` returns it. */
  readonly tag?: string;
  readonly expiresWithinDays?: number;
  /** Any instance of this bundle. */
  readonly bundleId?: number;
  readonly bundleInstanceId?: number;
  /** `failed`: as `renewalFailed`. */
  readonly renewal?: "automatic" | "failed" | "manual" | "bundle";
}

/**
 * The ids of pending licenses, by their open operations: no index has the time of provisioning, so that a confirmation
 * writes no index entry. `reseller` null: of all resellers.
 */
export function pendingIds(reseller: string | null): string {
  const from = (licenses: string) => `
      select p.id from operations o join licenses p on ${licenses} and p.reseller_id = o.reseller_id
       where ${reseller === null ? "" : `o.reseller_id = ${reseller} and`} o.settled_at is null
         and p.provisioned_at is null and p.terminated_at is null`;
  return `${from("p.id = o.license_id")} union all ${from("p.bundle_instance_id = o.bundle_instance_id")}`;
}

/** The SQL form of `deriveLicenseStatus`; a test compares the two. `now` binds the time if needed. */
function statusCondition(status: LicenseStatus, reseller: string, ofAll: boolean, now: () => string): string {
  // A hash table, made once for all resellers. As a list, it would be gone through for each.
  const pending = pendingIds(ofAll ? null : reseller);
  switch (status) {
    case "terminated":
      return "l.terminated_at is not null";
    case "pending":
      return `l.id = any (array(${pendingIds(reseller)}))`;
    case "suspended":
      return "l.terminated_at is null and l.provisioned_at is not null and l.suspended_at is not null";
    case "expired":
      return `l.terminated_at is null and l.id not in (${pending}) and l.suspended_at is null and l.expires_at <= ${now()}`;
    case "active":
      return `l.terminated_at is null and l.id not in (${pending}) and l.suspended_at is null and l.expires_at > ${now()}`;
    default:
      return status satisfies never;
  }
}

/** Licenses whose automatic renewal failed in the last 30 days and that have not been renewed since. */
export function renewalFailed(reseller: string, now: string): string {
  return `l.terminated_at is null
    and l.expires_at <= ${now}::timestamptz + (select make_interval(days => renew_ahead_days) from resellers where id = ${reseller})
    and l.id in (select e.license_id from events e where e.reseller_id = ${reseller} and e.kind = 'license.renewal_failed'
                    and not e.data ? 'requested' and e.occurred_at > ${now}::timestamptz - interval '30 days')`;
}

function renewalCondition(renewal: NonNullable<LicenseFilter["renewal"]>, reseller: string, now: () => string): string {
  switch (renewal) {
    case "automatic":
      return "l.auto_renew and l.bundle_instance_id is null";
    case "failed":
      return renewalFailed(reseller, now());
    case "manual":
      return "not l.auto_renew and l.bundle_instance_id is null";
    case "bundle":
      return "l.bundle_instance_id is not null";
    default:
      return renewal satisfies never;
  }
}

/** What the search index finds: its condition on `licenses l`, and its query of the index, an expression. */
export interface TextMatch {
  readonly condition: string;
  readonly query: string;
}

/** A statement under construction: conditions on `licenses l` and values. */
export interface LicenseMatch {
  /** Without the condition of `text`. */
  readonly conditions: string[];
  /** Of text, customer and tag; null without any. */
  readonly text: TextMatch | null;
  readonly values: unknown[];
  /** The reseller's id: a placeholder, or the column of `ofAllResellers`. */
  readonly reseller: string;
  /** Adds a value and returns its placeholder. */
  readonly bind: (value: unknown) => string;
}

const EACH_RESELLER = "each_reseller.id";

/**
 * `select l.*` of each live reseller, whose indexes serve it as they serve one reseller's list. Sandboxes are left out.
 */
export function ofAllResellers(select: string, rest: string): string {
  return `select l.* from resellers each_reseller cross join lateral (${select}) l
           where each_reseller.sandbox_of is null ${rest}`;
}

/** Translates a filter into conditions on the reseller's licenses; null: to be repeated by `ofAllResellers`. */
export async function matchLicenses(
  db: Database,
  resellerId: ResellerId | null,
  filter: LicenseFilter,
  now: Date,
): Promise<LicenseMatch> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const reseller = resellerId === null ? EACH_RESELLER : bind(resellerId);
  const conditions = [`l.reseller_id = ${reseller}`];
  if (filter.status) conditions.push(statusCondition(filter.status, reseller, resellerId === null, () => bind(now)));
  // Looked up first, because the planner estimates a product's licenses only from a constant id.
  if (filter.type !== undefined) conditions.push(`l.product_id = ${bind(await findProductId(db, filter.type))}`);
  if (filter.ipAddress !== undefined) conditions.push(`l.ip_address::inet = ${bind(filter.ipAddress)}::inet`);
  if (filter.key !== undefined) conditions.push(`l.key = ${bind(filter.key)}`);
  if (filter.externalId !== undefined) conditions.push(`l.external_id = ${bind(filter.externalId)}`);
  if (filter.addresses !== undefined) {
    const { first, last } = filter.addresses;
    conditions.push(`l.ip_address::inet between ${bind(first)} and ${bind(last)}`);
  }
  const searched = filter.text === undefined ? null : await resolveWords(db, resellerId, filter.text);
  if (searched?.words.length === 0) conditions.push("false");
  const found = [
    ...(searched === null || searched.words.length === 0
      ? []
      : [
          {
            condition: searched.words.map((word) => wordCondition(word, bind)).join(" and "),
            query: `${bind(queryOfAll(searched.indexed))}::text`,
          },
        ]),
    ...labelMatches(filter, bind),
  ];
  const text =
    found.length === 0
      ? null
      : {
          condition: found.map(({ condition }) => condition).join(" and "),
          query: found.map(({ query }) => query).join(" || ' & ' || "),
        };
  if (filter.expiresWithinDays !== undefined) {
    const from = bind(now);
    conditions.push(
      `l.terminated_at is null and l.expires_at > ${from} and l.expires_at <= ${from}::timestamptz + make_interval(days => ${bind(filter.expiresWithinDays)})`,
    );
  }
  if (filter.bundleInstanceId !== undefined) conditions.push(`l.bundle_instance_id = ${bind(filter.bundleInstanceId)}`);
  if (filter.bundleId !== undefined)
    conditions.push(
      `l.bundle_instance_id in (select id from bundle_instances where reseller_id = ${reseller} and bundle_id = ${bind(filter.bundleId)})`,
    );
  if (filter.renewal !== undefined) conditions.push(renewalCondition(filter.renewal, reseller, () => bind(now)));
  return { conditions, text, values, reseller, bind };
}

/** The search index has whole labels, too, which is why they need no index of their own (decision 71). */
function labelMatches({ customer, tag }: LicenseFilter, bind: LicenseMatch["bind"]): readonly TextMatch[] {
  return [
    ...(customer === undefined
      ? []
      : [
          {
            condition: `lower(${bind(customer)}) in (lower(l.customer_name), lower(l.customer_email), lower(l.customer_reference))`,
            // Lower-cased by the database, as the index is.
            query: `lower(${bind(queryOfLabel("customer", customer))})`,
          },
        ]),
    ...(tag === undefined
      ? []
      : [{ condition: `l.tags @> array[${bind(tag)}]`, query: `${bind(queryOfLabel("tag", tag))}::text` }]),
  ];
}

function wordCondition(word: ResolvedWord, bind: LicenseMatch["bind"]): string {
  const [start, parts] = [escapeLikePattern(word.beginning), escapeLikePattern(word.parts)];
  const begins = bind(`${start}%`);
  // A key is ASCII; collation "C" lower-cases it fastest.
  return `(l.search_words like ${bind(`%${parts}%`)} or l.ip_address like ${begins}
    or lower(l.key collate "C") like ${begins} or lower(l.key collate "C") like ${bind(`lic-${start}%`)}
    or lower(l.external_id) like ${begins} or l.product_id = any (${bind(word.productIds)}::int[])
    or l.id = any (${bind(word.licenseIds)}::int[]) or l.bundle_instance_id = ${bind(word.bundleInstanceId)})`;
}

/** Null, which matches nothing, if no product has the slug. */
const findProductId = defineFindValue("find_product_id", { id: int })<[slug: string]>`
      select id from products where slug = $1`;
