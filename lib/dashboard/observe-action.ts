import type { ActionResult } from "#lib/domain/action-result.ts";
import { getRuntime } from "#lib/runtime.ts";

export function observeAction(operation: string, result: ActionResult<unknown>, durationMs: number): void {
  const code = result.ok ? "ok" : result.error.code;
  getRuntime().metrics.requestAnswered({ interface: "action", operation, code, durationMs });
}
