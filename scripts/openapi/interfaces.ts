import { z } from "zod";
import { field } from "#lib/http/answer-fields.ts";
import { type ContractPage, readContractPage } from "./contract-words.ts";

const errorFields = { error: z.literal(true), code: field.text, message: field.text };
const details = z.record(z.string(), z.union([z.string(), z.number()]));
/** Body of every error. */
export const errorSchemas = {
  PathError: z.object({ ...errorFields, details: z.record(z.string(), z.string()) }),
  DispatchError: z.object({ success: z.literal(false), ...errorFields, details }),
};

export interface Interface {
  readonly name: "Path" | "Dispatch";
  readonly page: ContractPage;
  readonly security: string;
}

export const path: Interface = {
  name: "Path",
  page: readContractPage("path-interface"),
  security: "bearer",
};
export const dispatch: Interface = {
  name: "Dispatch",
  page: readContractPage("dispatch-interface"),
  security: "apiKey",
};
