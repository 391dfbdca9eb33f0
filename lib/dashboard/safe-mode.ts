import { getRuntime } from "#lib/runtime.ts";

/** Whether this installation works on a copy, on which nothing is changed (docs/decisions/0023). */
export function isSafeMode(): boolean {
  return getRuntime().safeMode;
}
