import { defineRun } from "#lib/db/connection/define.ts";

/** A process begins to archive. */
export const beginArchiveState = defineRun("begin_archive_state")<[]>`
      insert into archive_states (single, started_at) values (true, clock_timestamp())
      on conflict (single) do update set started_at = excluded.started_at, complete_until = null, problem = null`;

/** Also if the process's begin could not be stored. */
export const storeArchiveProgress = defineRun("store_archive_progress")<[complete: boolean, problem: string | null]>`
      insert into archive_states (single, started_at, complete_until, problem)
      values (true, clock_timestamp(), case when $1 then clock_timestamp() end, $2)
      on conflict (single) do update
      set complete_until = coalesce(excluded.complete_until, archive_states.complete_until), problem = excluded.problem`;

/** An `ArchiveState`; null: none is set up. A restored or copied row has no slot. */
export const archiveState = `
  (select jsonb_build_object('age', extract(epoch from clock_timestamp() - coalesce(a.complete_until, a.started_at))::float8,
                             'hasCopy', a.complete_until is not null, 'problem', a.problem)
     from archive_states a
    where exists (select from pg_replication_slots where slot_name = 'license_desk_archive'))`;
