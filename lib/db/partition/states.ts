import { partitionedTables } from "#lib/domain/partitions.ts";

const states = partitionedTables.map(
  ({ name }) => `
    select '${name}' as "table", (select extract(epoch from max(ends_at))::float8 from partitions_of('${name}')) as "end",
           exists (select from ${name}_default) as "hasStrays"`,
);

/** An expression: the `PartitionState` of each table, as JSON. */
export const partitionStates = `(select jsonb_agg(to_jsonb(s)) from (${states.join(" union all ")}) s)`;
