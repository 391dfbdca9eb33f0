import { z } from "zod";
import { parameter } from "#lib/http/parameters.ts";

const MAX_KINDS_NAMED = 100;

export const endpointSchema = z.object({ endpoint_id: parameter.integer });

/** What each field may hold is the service's to say; here, only that it is there. */
export const fieldsSchema = z
  .object({
    url: z.string().min(1, "Enter the address that events are to be sent to."),
    description: z.string(),
    every_event: z.boolean(),
    events: z.array(z.string()).max(MAX_KINDS_NAMED),
    ordered: z.boolean(),
    concurrency: z.number(),
  })
  .refine(({ every_event, events }) => every_event || events.length > 0, {
    path: ["events"],
    message: "Choose at least one kind of event.",
  });

export const testSchema = z.object({ ...endpointSchema.shape, event: z.string() });

export const deliverySchema = z.object({ delivery_id: z.string().regex(/^[1-9]\d{0,17}$/) });

export const missedSchema = z.object({ ...endpointSchema.shape, since: z.iso.datetime() });
