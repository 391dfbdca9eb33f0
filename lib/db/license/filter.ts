import type { Database } from "#lib/db/connection/client.ts";
import { int } from "#lib/db/connection/columns.ts";
import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Ipv4Range } from "#lib/domain/ipv4-range.ts";
import type { LicenseStatus } from "#lib/domain/license-status.ts";
import { bindIndexQuery, type IndexQuery } from "./search-index.ts";
import { type SearchText, toSearchText } from "./search-text.ts";

export interface LicenseFilter {
  readonly status?: LicenseStatus;
  /** The product's type slug. */
  readonly type?: string;
  readonly ipAddress?: string;
  readonly addresses?: Ipv4Range;
  /** What the key (with or without LIC-), the address, or a word in host or notes begins with, any case. */
  readonly text?: string;
  readonly expiresWithinDays?: number;
  /** The bundle that it was bought as part of, any instance of it. */
  readonly bundleId?: number;
  readonly bundleInstanceId?: number;
  /** By itself, when somebody asks for it, or with the bundle that it belongs to. */
  readonly renewal?: "automatic" | "manual" | "bundle";
}

/** The SQL form of `deriveLicenseStatus`; a test holds the two together. `now` binds the instant, where it is needed. */
function statusCondition(status: LicenseStatus, now: () => string): string {
  switch (status) {
    case "terminated":
      return "l.terminated_at is not null";
    case "pending":
      return "l.terminated_at is null and l.provisioned_at is null";
    case "suspended":
      return "l.terminated_at is null and l.provisioned_at is not null and l.suspended_at is not null";
    case "expired":
      return `l.terminated_at is null and l.provisioned_at is not null and l.suspended_at is null and l.expires_at <= ${now()}`;
    case "active":
      return `l.terminated_at is null and l.provisioned_at is not null and l.suspended_at is null and l.expires_at > ${now()}`;
    default:
      return status satisfies never;
  }
}

const renewalConditions = {
  automatic: "l.auto_renew and l.bundle_instance_id is null",
  manual: "not l.auto_renew and l.bundle_instance_id is null",
  bundle: "l.bundle_instance_id is not null",
} as const satisfies Record<NonNullable<LicenseFilter["renewal"]>, string>;

/** A text that is searched for: the condition on `licenses l`, and what the search index is asked. */
export interface TextMatch {
  readonly condition: string;
  readonly query: IndexQuery;
}

/** A statement in the making: its conditions on `licenses l`, and its values so far. */
export interface LicenseMatch {
  /** Without that of the text. */
  readonly conditions: string[];
  readonly text: TextMatch | null;
  readonly values: unknown[];
  /** The placeholder of the reseller. */
  readonly reseller: string;
  /** Takes a value of the statement and returns its placeholder. */
  readonly bind: (value: unknown) => string;
}

/** What this reseller's licenses that match are selected by. */
export async function matchLicenses(
  db: Database,
  resellerId: ResellerId,
  filter: LicenseFilter,
  now: Date,
): Promise<LicenseMatch> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const reseller = bind(resellerId);
  const conditions = [`l.reseller_id = ${reseller}`];
  if (filter.status) conditions.push(statusCondition(filter.status, () => bind(now)));
  // Asked first: the planner knows how many licenses a product has, but not those of a product that it has to look up.
  if (filter.type !== undefined) conditions.push(`l.product_id = ${bind(await findProductId(db, filter.type))}`);
  if (filter.ipAddress !== undefined) conditions.push(`l.ip_address = ${bind(filter.ipAddress)}`);
  if (filter.addresses !== undefined) {
    const { first, last } = filter.addresses;
    conditions.push(`l.ip_address::inet between ${bind(first)} and ${bind(last)}`);
  }
  const searched = filter.text === undefined ? undefined : toSearchText(filter.text);
  if (searched === null) conditions.push("false");
  const text = searched
    ? {
        condition: textCondition(searched, bind),
        query: bindIndexQuery(resellerId, searched.quotedToken, bind),
      }
    : null;
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
  if (filter.renewal !== undefined) conditions.push(renewalConditions[filter.renewal]);
  return { conditions, text, values, reseller, bind };
}

function textCondition({ beginning, words }: SearchText, bind: LicenseMatch["bind"]): string {
  const [start, word] = [escapeLikePattern(beginning), escapeLikePattern(words)];
  const begins = bind(`${start}%`);
  // A key is ASCII, and is made small fastest without the rules of a language.
  return `(l.search_words like ${bind(`%${word}%`)} or l.ip_address like ${begins}
    or lower(l.key collate "C") like ${begins} or lower(l.key collate "C") like ${bind(`lic-${start}%`)})`;
}

const findProductIdStatement = statement("find_product_id", { id: int })`select id from products where slug = $1`;

/** Null, which equals nothing, where no product has the slug. */
async function findProductId(db: Database, slug: string): Promise<number | null> {
  const [product] = await db.query(findProductIdStatement, [slug]);
  return product?.id ?? null;
}
