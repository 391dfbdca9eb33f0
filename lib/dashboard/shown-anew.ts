import { revalidatePath } from "next/cache";
import type { ActionResult } from "./action.ts";

/**
 * The pages under these paths are shown anew, those gone back to as well; after a refusal, too, which may have left its
 * trace. Not when the session has ended: the page would be left at once for signing in, with what was filled in.
 */
export function shownAnew<Value>(result: ActionResult<Value>, ...paths: readonly string[]): ActionResult<Value> {
  if (result.ok || result.error.code !== "signed_out") for (const path of paths) revalidatePath(path, "layout");
  return result;
}
