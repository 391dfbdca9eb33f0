"use server";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { RelocationStarted } from "#components/relocation/relocation.ts";
import { partsOf, runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { parameter } from "#lib/http/parameters.ts";
import { startRelocation } from "#lib/services/relocation/start.ts";

/** What the dry run showed. */
interface SeenPlan {
  readonly from: string;
  readonly to: string;
  readonly seenVersion: string;
}

export async function start(
  seen: SeenPlan,
  _: undefined,
  idempotencyKey: string,
): Promise<ActionResult<RelocationStarted>> {
  const { from, to, seenVersion } = partsOf(seen);
  const result = await runAction({
    name: "relocations.start",
    schema: z.object({ from: parameter.licenseAddress, to: parameter.licenseAddress }),
    input: { from, to },
    idempotencyKey,
    seenVersion,
    run: async (ctx, addresses) => ({ jobId: Number(await startRelocation(ctx, addresses)) }),
  });
  return shownAnew(result, "/jobs");
}
