import { defineRun } from "#lib/db/connection/define.ts";

/** A process begins to archive. */
export const beginArchiveState = defineRun("begin_archive_state")<[]>`
      insert into archive_states (single, started_at) values (true, clock_timestamp())
      on conflict (single) do update set started_at = excluded.started_at, complete_until = null, problem = null`;

export const storeArchiveProgress = defineRun("store_archive_progress")<[complete: boolean, problem: string | null]>`
      update archive_states set complete_until = case when $1 then clock_timestamp() else complete_until end, problem = $2`;

/** An `ArchiveState`; null: none is set up. A restored or copied row has no slot. */
export const archiveState = `
  (select jsonb_build_object('age', extract(epoch from clock_timestamp() - coalesce(a.complete_until, a.started_at))::float8,
                             'hasCopy', a.complete_until is not null, 'problem', a.problem)
     from archive_states a
    where exists (select from pg_replication_slots where slot_name = 'license_desk_archive'))`;
