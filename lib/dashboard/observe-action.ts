import type { ActionResult } from "#lib/domain/action-result.ts";
import { getRuntime } from "#lib/runtime.ts";

/** Who called an action, as far as it came to that. */
export interface ActionCaller {
  requestId: string | null;
  resellerId: number | null;
}

export async function observeAction<Value>(
  operation: string,
  answer: (caller: ActionCaller) => Promise<ActionResult<Value>>,
): Promise<ActionResult<Value>> {
  const startMs = performance.now();
  const caller: ActionCaller = { requestId: null, resellerId: null };
  const result = await answer(caller);
  const code = result.ok ? "ok" : result.error.code;
  const durationMs = performance.now() - startMs;
  const call = { interface: "action", operation, code, status: null, durationMs, key: null, source: null } as const;
  getRuntime().requestAnswered({ ...call, ...caller });
  return result;
}
