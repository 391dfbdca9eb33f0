import { z } from "zod";
import { licenseStatuses } from "#lib/domain/license-status.ts";

/** Fields of responses. Their schemas type the handlers and make the OpenAPI document; no request is checked by them. */
export const field = {
  text: z.string(),
  list: z.array(z.string()),
  count: z.int(),
  /** Numeric id of the dispatch interface. */
  number: z.int().positive(),
  flag: z.boolean(),
  /** Major units of the currency beside it (contract 1.9). */
  money: z.number(),
  currency: z.string().meta({ examples: ["USD"] }),
  time: z.iso.datetime(),
  day: z.iso.date(),
  operationId: z.uuid(),
  licenseId: z.string().meta({ examples: ["lic_12"] }),
  licenseKey: z.string().meta({ examples: ["LIC-AN7X6-1SCXJ-P6RB7-C93C7"] }),
  status: z.enum(licenseStatuses),
};

/** An operation; `license_id` in the form of its interface (contract 3.11). */
export function operationAnswer<Id extends z.ZodType>(licenseId: Id) {
  return z.strictObject({
    operation: field.text,
    status: z.enum(["pending", "succeeded", "rejected"]),
    message: field.text,
    license_id: licenseId.nullable(),
    bundle_instance_id: field.number.nullable(),
    price: field.money,
    currency: field.currency,
    created_at: field.time,
    settled_at: field.time.nullable(),
  });
}
