import { getRuntime } from "#lib/runtime.ts";

/** Whether this installation runs on a copy, which must not change (docs/decisions/0023). */
export function isSafeMode(): boolean {
  return getRuntime().safeMode;
}
