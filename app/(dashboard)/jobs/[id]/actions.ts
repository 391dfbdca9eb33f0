"use server";
import { z } from "zod";
import { agreedPrice, id, viewedReseller } from "#app/(dashboard)/fields.ts";
import type { CommandsCreated } from "#components/api-key/api-key.ts";
import { installLine } from "#components/diagnostics/install-line.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { publicOrigin } from "#lib/dashboard/public-url.ts";
import { createJobAgentKeys } from "#lib/services/api-key/create-job-agent-keys.ts";
import { cancelBulkJob } from "#lib/services/bulk/cancel.ts";
import { retryFailedBulkItems } from "#lib/services/bulk/retry.ts";
import { stopBulkReverts } from "#lib/services/bulk/stop-reverts.ts";

const revalidate = ["/licenses", "/bundles"];

export const cancelJob = defineAction({
  name: "jobs.cancelJob",
  bound: z.strictObject(viewedReseller),
  input: z.strictObject({ job_id: id() }),
  revalidate,
  run: async (ctx, job) => {
    await cancelBulkJob(ctx, job);
  },
});

export const createCommands = defineAction({
  name: "jobs.createCommands",
  bound: z.strictObject({ jobId: id() }),
  input: z.strictObject({}),
  revalidate: ["/api-keys"],
  unstored: { commands: null },
  asksProof: true,
  run: async (ctx, _, { jobId }): Promise<CommandsCreated> => {
    const servers = await createJobAgentKeys(ctx, { jobId });
    const origin = publicOrigin();
    return {
      commands: servers.map(({ address, products, keys }) => ({
        address,
        product: products.join(", "),
        line: installLine(origin, keys),
      })),
    };
  },
});

export const retryJob = defineAction({
  name: "jobs.retryJob",
  bound: z.strictObject(viewedReseller),
  input: z.strictObject({ job_id: id(), agreed_total: agreedPrice }),
  revalidate,
  run: async (ctx, job) => {
    await retryFailedBulkItems(ctx, job);
  },
});

export const stopReverts = defineAction({
  name: "jobs.stopReverts",
  bound: z.strictObject(viewedReseller),
  input: z.strictObject({ job_id: id() }),
  revalidate,
  run: async (ctx, job) => {
    await stopBulkReverts(ctx, job);
  },
});
