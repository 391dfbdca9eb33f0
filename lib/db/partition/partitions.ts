import type { Database } from "#lib/db/connection/client.ts";
import { boolean, text, timestamp } from "#lib/db/connection/columns.ts";
import { getRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import { AHEAD_MS, isOutdated, listPeriods, type Period, partitionedTables } from "#lib/domain/partitions.ts";

/** What was done, as lines for the log. */
export interface PartitionChanges {
  readonly created: readonly string[];
  readonly dropped: readonly string[];
  /** Another session had locked the table: the next run does it. */
  readonly postponed: readonly string[];
}

const partitionRow = { name: text, from: timestamp, until: timestamp };

const listPartitions = statement("list_partitions", partitionRow)`
      select name, starts_at as "from", ends_at as until from partitions_of($1) order by starts_at`;

const createPartition = statement("create_partition", { done: boolean })`
      select create_partition($1, $2, $3) as done`;

const dropPartition = statement("drop_partition", { done: boolean })`
      select drop_partition($1, $2) as done`;

const tables = partitionedTables.map((table) => ({
  ...table,
  /** Days of rows before $1 that are in the default partition, because their own was missing. */
  listStrayDays: statement(`list_stray_days_of_${table.name}`, { day: timestamp })`
      select distinct date_trunc('day', ${table.time}, 'UTC') as day from ${table.name}_default where ${table.time} < $1`,
}));
type Table = (typeof tables)[number];

async function createMissing(db: Database, { name, listStrayDays }: Table, from: Date, until: Date) {
  const strayDays = await db.query(listStrayDays, [until]);
  const wanted = [...listPeriods(from, until), ...strayDays.flatMap(({ day }) => listPeriods(day, day))];
  const present: Period[] = await db.query(listPartitions, [name]);
  const created: string[] = [];
  const postponed: string[] = [];
  for (const period of wanted) {
    if (present.some((other) => period.from < other.until && other.from < period.until)) continue;
    const { done } = await getRow(db, createPartition, [name, period.from, period.until]);
    (done ? created : postponed).push(`${name} from ${period.from.toISOString().slice(0, 10)}`);
    present.push(period);
  }
  return { created, postponed };
}

async function dropOutdated(db: Database, table: Table, now: Date) {
  const present: RowOf<typeof partitionRow>[] = await db.query(listPartitions, [table.name]);
  const dropped: string[] = [];
  const postponed: string[] = [];
  for (const { name } of present.filter((partition) => isOutdated(partition, table, now))) {
    const { done } = await getRow(db, dropPartition, [table.name, name]);
    (done ? dropped : postponed).push(name);
  }
  return { dropped, postponed };
}

/** Creates partitions for the coming weeks and for rows that have none, and drops those older than their table keeps. */
export async function updatePartitions(db: Database, now: Date): Promise<PartitionChanges> {
  const changes: PartitionChanges[] = [];
  for (const table of tables) {
    const { created, postponed } = await createMissing(db, table, now, new Date(now.getTime() + AHEAD_MS));
    const outdated = await dropOutdated(db, table, now);
    changes.push({ created, dropped: outdated.dropped, postponed: [...postponed, ...outdated.postponed] });
  }
  return {
    created: changes.flatMap(({ created }) => created),
    dropped: changes.flatMap(({ dropped }) => dropped),
    postponed: changes.flatMap(({ postponed }) => postponed),
  };
}

/** Creates the partitions of all rows that tables keep at a time, so that old rows can be loaded. */
export async function createPastPartitions(db: Database, now: Date): Promise<void> {
  for (const table of tables) await createMissing(db, table, new Date(now.getTime() - table.keptMs), now);
}
