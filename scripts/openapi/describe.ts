import type { oas31 } from "zod-openapi";
import type { Endpoint } from "#lib/http/endpoint.ts";
import { withoutFields } from "./components.ts";
import type { OperationWords } from "./contract-words.ts";
import { dispatch, documentedOperations, JSON_TYPE, path, toOperationId } from "./interfaces.ts";

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

/** Names an outcome that can be pending, so that the pending one extends it. */
function nameOutcome(operationId: string, { 200: done, 202: pending }: Partial<Record<string, SchemaObject>>): void {
  const outcome = (done?.anyOf?.[0] ?? done) as SchemaObject | undefined;
  if (!(outcome && pending && withoutFields(pending, outcome))) return;
  outcome.title = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Outcome`;
}

const responsesAt = (document: oas31.OpenAPIObject, address: string, endpoint: Endpoint) =>
  document.paths?.[address]?.[endpoint.method.toLowerCase() as "get"]?.responses as Record<string, ResponseObject>;

/** Adds meanings and examples of docs/contract to the responses. */
export function describeAnswers(document: oas31.OpenAPIObject): void {
  for (const { api, endpoint, address, words } of documentedOperations) {
    const answers: Record<string, SchemaObject> = {};
    for (const [status, response] of Object.entries(responsesAt(document, address, endpoint))) {
      const media = response.content?.[JSON_TYPE];
      if (!(media?.schema && status.startsWith("2"))) continue;
      const schema = media.schema as SchemaObject;
      const answer = api === dispatch ? (schema.properties?.data as SchemaObject) : schema;
      describeFields(answer, words);
      answers[status] = answer;
      if (status !== "202" || api === path) media.example = words.example;
      if (api === dispatch) addChoice(responsesAt(document, "/", endpoint)[status], schema);
    }
    nameOutcome(toOperationId(endpoint.name), answers);
  }
  describeFields(
    document.components?.schemas?.PendingOutcome as SchemaObject,
    dispatch.page.operation("license.renew"),
  );
}

/** The dispatch interface's one address has the responses of every operation. */
function addChoice(response: ResponseObject | undefined, choice: SchemaObject): void {
  const schema = response?.content?.[JSON_TYPE]?.schema as SchemaObject;
  schema.anyOf = [...(schema.anyOf ?? []), choice];
}
