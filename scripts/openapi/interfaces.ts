import { z } from "zod";
import { field } from "#lib/http/answer-fields.ts";
import { operations } from "#lib/http/dispatch-api/interface.ts";
import type { Endpoint } from "#lib/http/endpoint.ts";
import { pathTargets } from "#lib/http/path-api/interface.ts";
import { type ContractPage, type OperationWords, readContractPage } from "./contract-words.ts";

export const JSON_TYPE = "application/json";
/** Prefix of the operations of the dispatch interface, which have one address. */
export const VIRTUAL = "/dispatch/";

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

export interface DocumentedOperation {
  readonly api: Interface;
  readonly endpoint: Endpoint;
  /** Its path in the document. */
  readonly address: string;
  readonly words: OperationWords;
}

export const documentedOperations: readonly DocumentedOperation[] = [
  ...Object.entries(pathTargets).flatMap(([address, byMethod]) =>
    Object.values(byMethod).map((endpoint) => {
      return { api: path, endpoint, address, words: path.page.operation(`${endpoint.method} ${address}`) };
    }),
  ),
  ...operations.map((endpoint) => {
    return { api: dispatch, endpoint, address: VIRTUAL + endpoint.name, words: dispatch.page.operation(endpoint.name) };
  }),
];

/** `license.change_ip` → `licenseChangeIp`. */
export function toOperationId(name: string): string {
  return name.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
}
