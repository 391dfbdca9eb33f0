import type pg from "pg";
import { findSqlState } from "./errors.ts";

export interface PreparedNames {
  named(config: pg.QueryConfig): pg.QueryConfig;
  /** Runs a statement; prepares it again and retries if its columns have changed since it was prepared. */
  run<Result>(config: pg.QueryConfig, send: (config: pg.QueryConfig) => Promise<Result>): Promise<Result>;
  /** True if the failed statement was prepared before its columns changed. All statements are then prepared again. */
  isOutdated(error: unknown): boolean;
}

const FEATURE_NOT_SUPPORTED = "0A000";
const CHANGED_RESULT = "cached plan must not change result type";

/**
 * A migration of a later version that adds a column breaks prepared `select *` statements. Under a new name they are
 * prepared again; the old ones end with their connections. `areKept`: false behind a pooler, where nothing is prepared.
 */
export function createPreparedNames({ areKept }: { readonly areKept: boolean }): PreparedNames {
  let generation = 0;
  const named = (config: pg.QueryConfig): pg.QueryConfig => {
    if (config.name === undefined || (areKept && generation === 0)) return config;
    return { ...config, name: areKept ? `${config.name}~${generation}` : undefined };
  };

  function isOutdated(error: unknown): boolean {
    const isChanged =
      findSqlState(error) === FEATURE_NOT_SUPPORTED && String((error as Error).message) === CHANGED_RESULT;
    if (isChanged) generation += 1;
    return isChanged;
  }

  return {
    named,
    isOutdated,
    run: (config, send) =>
      send(named(config)).catch((error) => {
        if (!isOutdated(error)) throw error;
        return send(named(config));
      }),
  };
}
