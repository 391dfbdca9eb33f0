import type { oas31 } from "zod-openapi";
import type { OperationWords } from "./contract-words.ts";
import { dispatch, documentedOperations, JSON_TYPE, path } from "./interfaces.ts";

type SchemaObject = oas31.SchemaObject;
type ResponseObject = oas31.ResponseObject;

/** Sets what the contract says of each field of a response; fields of items are named `licenses[].id`. */
function describeFields(schema: SchemaObject, words: OperationWords, path = ""): void {
  const { anyOf = [], properties = {} } = schema;
  for (const choice of anyOf) describeFields(choice as SchemaObject, words, path);
  const meanings = "dry_run" in properties ? words.dryRunFields : words.fields;
  for (const [name, property] of Object.entries(properties)) {
    const field = property as SchemaObject;
    const at = path === "" ? name : `${path}.${name}`;
    const meaning = meanings.get(at);
    if (meaning !== undefined) field.description = meaning;
    describeFields(field, words, at);
    if (field.items) describeFields(field.items as SchemaObject, words, `${at}[]`);
  }
}

/** Adds meanings and examples of docs/contract to the responses. */
export function describeAnswers(document: oas31.OpenAPIObject): void {
  for (const { api, endpoint, address, words } of documentedOperations) {
    const { example } = words;
    const { responses } = document.paths?.[address]?.[endpoint.method.toLowerCase() as "get"] ?? {};
    for (const [status, response] of Object.entries(responses ?? {})) {
      const { schema, ...media } = (response as ResponseObject).content?.[JSON_TYPE] ?? {};
      if (!(schema && status.startsWith("2"))) continue;
      const { properties } = schema as SchemaObject;
      describeFields(api === dispatch ? (properties?.data as SchemaObject) : (schema as SchemaObject), words);
      if (status !== "202" || api === path) Object.assign(response.content[JSON_TYPE], { ...media, example });
    }
  }
}
