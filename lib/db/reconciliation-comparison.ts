import type { Database } from "./client.ts";

/** A comparison under way. What has changed since `startedAt` is left for the next one. */
export interface Comparison {
  readonly id: number;
  readonly provider: string;
  readonly startedAt: Date;
}

/** A line of a provider's books, as it is kept while it is compared. */
export interface BookEntryRow {
  /** Our reference, or another name of the provider's own where it has none of ours. */
  readonly reference: string;
  readonly provider_reference: string | null;
  readonly product: string;
  /** Null where the provider does not tell it. */
  readonly ip_address: string | null;
  readonly cores: number | null;
  readonly cores_told: boolean;
  readonly state: string;
  /** The last day of its term in UTC; null where the provider does not tell it. */
  readonly expires_on: string | null;
}

/** Null: the provider is being compared right now. One whose lease has run out was interrupted, and is ended first. */
export async function beginComparison(
  db: Database,
  start: { readonly provider: string; readonly actor: string; readonly now: Date; readonly leaseUntil: Date },
): Promise<Comparison | null> {
  await db.query({
    name: "end_interrupted_comparison",
    text: `
      with ended as (
        update provider_comparisons set finished_at = $2, failure_message = 'It was interrupted.'
         where provider = $1 and finished_at is null and lease_until <= $2 returning id
      )
      delete from compared_book_entries where comparison_id in (select id from ended)`,
    values: [start.provider, start.now],
  });
  const [row] = await db.query<{ id: number }>({
    name: "begin_comparison",
    text: `
      insert into provider_comparisons (provider, actor, started_at, lease_until) values ($1, $2, $3, $4)
      on conflict (provider) where finished_at is null do nothing returning id`,
    values: [start.provider, start.actor, start.now, start.leaseUntil],
  });
  return row ? { id: row.id, provider: start.provider, startedAt: start.now } : null;
}

/** Writes down a page of the provider's books, and renews the lease. A reference told twice counts once. */
export async function keepBookPage(
  db: Database,
  comparison: Comparison,
  entries: readonly BookEntryRow[],
  leaseUntil: Date,
): Promise<void> {
  await db.query({
    name: "keep_book_page",
    text: `
      with kept as (
        insert into compared_book_entries (comparison_id, reference, provider_reference, product, ip_address, cores, cores_told, state, expires_on)
        select $1, e.reference, e.provider_reference, e.product, e.ip_address, e.cores, e.cores_told, e.state, e.expires_on
          from jsonb_populate_recordset(null::compared_book_entries, $2::jsonb) e
        on conflict do nothing returning 1
      )
      update provider_comparisons set lease_until = $3, held_count = held_count + (select count(*) from kept) where id = $1`,
    values: [comparison.id, JSON.stringify(entries), leaseUntil],
  });
}

/**
 * Closes the cases that were not seen again. One that was not looked at this time, because something is happening to it,
 * stays. `complete` false: the books could not be read, so only operations were looked at.
 */
export async function closeAgreeingCases(
  db: Database,
  { provider, startedAt }: Comparison,
  complete: boolean,
): Promise<void> {
  await db.query({
    name: "close_agreeing_cases",
    text: `
      update reconciliation_cases c set resolved_at = $2, resolution = 'agrees'
       where c.provider = $1 and c.resolved_at is null and c.last_seen_at < $2
         and case when c.kind = 'unknown_outcome'
                  then not exists (select from operations o where o.id = c.operation_id and o.state in ('held', 'sent', 'unknown'))
                  else $3 and not exists (
                    select from licenses l where l.key = c.reference and (l.open_operation_id is not null or l.updated_at >= $2)) end`,
    values: [provider, startedAt, complete],
  });
}

export async function finishComparison(
  db: Database,
  { id }: Comparison,
  end: {
    readonly now: Date;
    readonly licenseCount: number;
    readonly differenceCount: number;
    readonly failureMessage: string | null;
  },
): Promise<void> {
  await db.query({
    name: "finish_comparison",
    text: `
      with finished as (
        update provider_comparisons set finished_at = $2, license_count = $3, difference_count = $4, failure_message = $5
         where id = $1 returning id
      )
      delete from compared_book_entries where comparison_id in (select id from finished)`,
    values: [id, end.now, end.licenseCount, end.differenceCount, end.failureMessage],
  });
}

/** The latest comparison of each provider that came to an end, by the provider's name. */
export interface LastComparison {
  readonly provider: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly heldCount: number;
  readonly licenseCount: number;
  /** Null unless it came to no end. */
  readonly failureMessage: string | null;
  /** Of this provider, whenever they were found. */
  readonly openCaseCount: number;
}

export async function listLastComparisons(db: Database): Promise<LastComparison[]> {
  return db.query<LastComparison>({
    name: "list_last_comparisons",
    text: `
      select p.name as provider, c.started_at as "startedAt", c.finished_at as "finishedAt", c.held_count as "heldCount",
             c.license_count as "licenseCount", c.failure_message as "failureMessage",
             (select count(*)::int from reconciliation_cases r where r.provider = p.name and r.resolved_at is null) as "openCaseCount"
        from providers p
       cross join lateral (select * from provider_comparisons c where c.provider = p.name order by c.id desc limit 1) c
       order by p.name`,
    values: [],
  });
}

/** Those that products or licenses can name, by name. */
export async function listProviderNames(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>({
    name: "list_provider_names",
    text: "select name from providers order by name",
    values: [],
  });
  return rows.map(({ name }) => name);
}
