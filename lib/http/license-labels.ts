import { z } from "zod";
import type { Labels } from "#lib/domain/labels.ts";
import { field } from "./answer-fields.ts";
import { parameter } from "./parameters.ts";

/** Customer and tags of a license in both interfaces (contract 3.19). */

export const labelParameters = {
  customer_name: parameter.customerName.optional(),
  customer_email: parameter.customerEmail.optional(),
  customer_reference: parameter.customerReference.optional(),
  tags: parameter.tags.optional(),
};

export const labelNames = Object.keys(labelParameters) as (keyof typeof labelParameters)[];

export const labelFields = {
  customer_name: field.text,
  customer_email: field.text,
  customer_reference: field.text,
  tags: field.list,
};

/** All of them. */
export function presentLabels(license: Labels) {
  return {
    customer_name: license.customerName,
    customer_email: license.customerEmail,
    customer_reference: license.customerReference,
    tags: [...license.tags],
  };
}

/** Fields of licenses, which have those that are set. */
export const optionalLabelFields = z.object(labelFields).partial().shape;

export function presentSetLabels({ customerName, customerEmail, customerReference, tags }: Labels) {
  return {
    ...(customerName === "" ? {} : { customer_name: customerName }),
    ...(customerEmail === "" ? {} : { customer_email: customerEmail }),
    ...(customerReference === "" ? {} : { customer_reference: customerReference }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
  };
}
