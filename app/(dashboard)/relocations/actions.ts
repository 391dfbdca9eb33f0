"use server";
import { z } from "zod";
import { seenVersion } from "#app/(dashboard)/fields.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { startRelocation } from "#lib/services/relocation/start.ts";

export const start = defineAction({
  name: "relocations.start",
  /** What the dry run showed. */
  bound: z.object({ from: parameter.licenseAddress, to: parameter.licenseAddress, seenVersion }),
  revalidate: ["/jobs"],
  run: async (ctx, _, { from, to }) => ({ jobId: Number(await startRelocation(ctx, { from, to })) }),
});
