"use server";
import { z } from "zod";
import { meantAddress, requireMeant, seenVersion } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { startRelocation } from "#lib/services/relocation/start.ts";

export const start = defineAction({
  name: "relocations.start",
  /** What the dry run showed. */
  bound: z.strictObject({ from: parameter.licenseAddress, to: parameter.licenseAddress, seenVersion }),
  input: z.strictObject({ meant_address: meantAddress }),
  revalidate: ["/jobs"],
  run: async (ctx, { meantAddress }, { from, to }) => {
    requireMeant(to, meantAddress);
    return { jobId: Number(await startRelocation(ctx, { from, to })) };
  },
});
