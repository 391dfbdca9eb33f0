import type pg from "pg";
import type { PoolUse } from "#lib/domain/figures.ts";

export function readPoolUse({ options, totalCount, idleCount, waitingCount }: pg.Pool): PoolUse {
  return { max: options.max, open: totalCount, idle: idleCount, waiting: waitingCount };
}
