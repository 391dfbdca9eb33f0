import { endFalseWaits } from "#lib/services/system/end-false-waits.ts";
import type { Job } from "./job.ts";

/** Every five minutes: a clock that was ahead must not delay anything after it is corrected. */
export const endFalseWaitsJob: Job = async (ctx) => {
  const ended = await endFalseWaits(ctx);
  return ended === 0 ? null : { ended };
};
