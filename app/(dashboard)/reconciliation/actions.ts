"use server";
import { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type { Compared } from "#components/reconciliation/compare-now.tsx";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";

/** Needs no key of its own: comparing twice finds the same. */
export async function compareNow(input: null): Promise<ActionResult<Compared>> {
  const result = await runAction({
    name: "reconciliation.compareNow",
    schema: z.null(),
    input,
    run: async (ctx) => {
      const summaries = await detectDrift(ctx);
      const named = (outcome: string) =>
        summaries.filter((summary) => summary.outcome === outcome).map(({ provider }) => provider);
      return {
        differences: summaries.reduce((sum, { differences }) => sum + differences, 0),
        unreadable: named("unreadable"),
        busy: named("busy"),
      };
    },
  });
  return shownAnew(result, "/reconciliation");
}
