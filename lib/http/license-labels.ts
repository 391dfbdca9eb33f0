import { z } from "zod";
import type { LabelChange, Labels } from "#lib/domain/labels.ts";
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

type LabelParameters = { readonly [Name in keyof typeof labelParameters]?: z.output<(typeof labelParameters)[Name]> };

/** Null: none is given. */
export function toLabelChange({
  customer_name: customerName,
  customer_email: customerEmail,
  customer_reference: customerReference,
  tags,
}: LabelParameters): LabelChange | null {
  const change = {
    ...(customerName === undefined ? {} : { customerName }),
    ...(customerEmail === undefined ? {} : { customerEmail }),
    ...(customerReference === undefined ? {} : { customerReference }),
    ...(tags === undefined ? {} : { tags }),
  };
  return Object.keys(change).length === 0 ? null : change;
}

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
