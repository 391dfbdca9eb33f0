"use server";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";

export const compareNow = defineAction({
  name: "reconciliation.compareNow",
  repeatable: true,
  revalidate: ["/reconciliation"],
  run: async (ctx) => {
    const summaries = await detectDrift(ctx);
    const named = (outcome: string) =>
      summaries.filter((summary) => summary.outcome === outcome).map(({ provider }) => provider);
    return {
      differences: summaries.reduce((sum, { differences }) => sum + differences, 0),
      /** Providers whose books could not be read. */
      unreadable: named("unreadable"),
      /** Providers that are being compared by somebody else. */
      busy: named("busy"),
    };
  },
});
