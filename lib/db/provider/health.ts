import { int, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineList, defineRun } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";

const providerHealthRow = {
  provider: text,
  lastSuccessAt: nullable(timestamp),
  lastFailureAt: nullable(timestamp),
  lastFailure: text,
  lastLatencyMs: nullable(int),
};
export type ProviderHealthRow = RowOf<typeof providerHealthRow>;

/** Keeps the later of what is stored and what this process saw. */
export const upsertProviderHealth = defineRun("upsert_provider_health").values((row: ProviderHealthRow) => {
  const { provider, lastSuccessAt, lastFailureAt, lastFailure, lastLatencyMs } = row;
  return [provider, lastSuccessAt, lastFailureAt, lastFailure, lastLatencyMs];
})`
      insert into provider_health as h (provider, last_success_at, last_failure_at, last_failure, last_latency_ms)
      values ($1, $2, $3, $4, $5)
      on conflict (provider) do update set
        last_success_at = greatest(h.last_success_at, excluded.last_success_at),
        last_failure = case when excluded.last_failure_at >= coalesce(h.last_failure_at, '-infinity')
                            then excluded.last_failure else h.last_failure end,
        last_failure_at = greatest(h.last_failure_at, excluded.last_failure_at),
        last_latency_ms = coalesce(excluded.last_latency_ms, h.last_latency_ms)`;

export const listProviderHealth = defineList("list_provider_health", providerHealthRow)`
      select provider, last_success_at as "lastSuccessAt", last_failure_at as "lastFailureAt", last_failure as "lastFailure",
             last_latency_ms as "lastLatencyMs" from provider_health`;
