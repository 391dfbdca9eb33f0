/** The OpenAPI document: shapes from the endpoints of lib/http, words from docs/contract. */
import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiHeadersObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import type { Currency } from "#lib/domain/money.ts";
import { operations } from "#lib/http/dispatch-api/interface.ts";
import { pendingAnswer } from "#lib/http/dispatch-api/present.ts";
import type { Endpoint } from "#lib/http/endpoint.ts";
import { describeAnswers } from "./describe.ts";
import { errorResponses, responseHeaders, sharedErrors } from "./errors.ts";
import {
  type DocumentedOperation,
  dispatch,
  documentedOperations,
  errorSchemas,
  type Interface,
  JSON_TYPE,
  path,
  toOperationId,
  VIRTUAL,
} from "./interfaces.ts";
import { webhooks } from "./webhooks.ts";

const CURRENCY = "USD" as Currency;
const FORM = "application/x-www-form-urlencoded";

const idempotencyKey = { $ref: "#/components/parameters/IdempotencyKey" };

const tags = {
  Licenses: "Look up, register, renew, move and suspend licenses.",
  Bundles: "Several products for one address, bought and renewed as one.",
  Account: "Balance, products and bundles on sale, outcomes of changes.",
  Operations: "Outcomes of changes.",
  Diagnostics: "Reports of servers.",
  "Webhook endpoints": "URLs that receive events.",
  Events: "What happened, and its deliveries.",
  "Dispatch interface": "The one address of the dispatch interface.",
};

function answerResponses(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const etag: ZodOpenApiHeadersObject = endpoint.hasEtag ? { ETag: { $ref: "#/components/headers/ETag" } } : {};
  const notModified = {
    description: "Not modified: it is what the ETag in If-None-Match names.",
    headers: { ...responseHeaders, ...etag },
  };
  const done = Object.fromEntries(
    Object.entries(endpoint.responses).map(([status, schema]) => [
      status,
      {
        description: status === "202" ? "Accepted: the outcome follows." : "Done.",
        headers: {
          ...responseHeaders,
          ...(endpoint.acceptsKey
            ? { "Idempotent-Replayed": { $ref: "#/components/headers/Idempotent-Replayed" } }
            : {}),
          ...etag,
        },
        content: { [JSON_TYPE]: { schema } },
      },
    ]),
  );
  return { ...done, ...(endpoint.hasEtag ? { "304": notModified } : {}) };
}

function toOperation({ api, endpoint, address, words }: DocumentedOperation): ZodOpenApiOperationObject {
  const pathNames = [...address.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const schema = endpoint.schemaFor(CURRENCY);
  const described = Object.fromEntries(
    Object.entries(schema.shape).map(([name, parameter]) => {
      const description = words.parameters.get(name);
      const field = parameter as z.ZodType;
      return [name, description ? field.meta({ ...field.meta(), description }) : field];
    }),
  );
  const inPath = z.object(pick(described, (name) => pathNames.includes(name)));
  const sent = z.object(pick(described, (name) => !pathNames.includes(name)));
  const hasBody = endpoint.method !== "GET" && Object.keys(sent.shape).length > 0;
  const types = api === dispatch ? [JSON_TYPE, FORM] : [JSON_TYPE];
  const isRequired = Object.values(sent.shape).some((parameter) => !parameter.safeParse(undefined).success);
  return {
    operationId: toOperationId(endpoint.name),
    tags: [words.group],
    summary: words.summary,
    description: words.description,
    security: [{ [api.security]: [] }],
    ...(endpoint.acceptsKey ? { parameters: [idempotencyKey] } : {}),
    requestParams: {
      ...(pathNames.length > 0 ? { path: inPath } : {}),
      ...(endpoint.method === "GET" && Object.keys(sent.shape).length > 0 ? { query: sent } : {}),
    },
    ...(hasBody
      ? {
          requestBody: {
            required: isRequired,
            content: Object.fromEntries(types.map((type) => [type, { schema: sent }])),
          },
        }
      : {}),
    responses: {
      ...answerResponses(endpoint),
      ...errorResponses(api, endpoint.acceptsKey ? [...words.errors, ...api.page.errorsOfKey] : words.errors),
    },
  };
}

function pick(shape: Readonly<Record<string, z.ZodType>>, keep: (name: string) => boolean): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).filter(([name]) => keep(name)));
}

/** One for each operation, as it reads best. */
function pathsOf(api: Interface): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of documentedOperations.filter((one) => one.api === api)) {
    const { address, endpoint } = operation;
    paths[address] = { ...paths[address], [endpoint.method.toLowerCase()]: toOperation(operation) };
  }
  return paths;
}

/** What is sent to the dispatch interface. */
function realOperation(method: string): ZodOpenApiOperationObject {
  const chosen = operations.filter((endpoint) => endpoint.method === method);
  const [first, ...others] = chosen.map(({ name }) => name);
  const statuses = new Set(chosen.flatMap(({ responses }) => Object.keys(responses)));
  const anyFields = z.record(z.string(), z.unknown());
  return {
    operationId: method === "GET" ? "dispatchRead" : "dispatchChange",
    tags: ["Dispatch interface"],
    summary: method === "GET" ? "Read by the dispatch interface" : "Change by the dispatch interface",
    description: `Every operation under \`${VIRTUAL}\` is sent here, with its name in the query: \`/?endpoint=${first}\`.`,
    security: [{ apiKey: [] }],
    ...(method === "POST" ? { parameters: [idempotencyKey] } : {}),
    requestParams: { query: z.object({ endpoint: z.enum([first ?? "", ...others]) }) },
    ...(method === "POST"
      ? { requestBody: { content: { [JSON_TYPE]: { schema: anyFields }, [FORM]: { schema: anyFields } } } }
      : {}),
    responses: {
      ...Object.fromEntries(
        [...statuses].map((status) => [
          status,
          { description: "By operation.", headers: responseHeaders, content: { [JSON_TYPE]: { schema: {} } } },
        ]),
      ),
      ...errorResponses(dispatch, dispatch.page.errors),
    },
  };
}

/** Responses and events may get further fields, so the document does not forbid them; a format says more than its pattern. */
function simplify(schema: object): void {
  if ("additionalProperties" in schema && schema.additionalProperties === false) delete schema.additionalProperties;
  if ("format" in schema && "pattern" in schema) delete schema.pattern;
}

const header = (description: string, type: string) => ({ description, schema: { type: type as "integer" } });

export function buildDocument() {
  const document = createDocument(
    {
      openapi: "3.1.1",
      info: {
        title: "License Desk API",
        version: "1.0.0",
        description:
          "Server software licenses for resellers: register, renew, verify, move and suspend, over two interfaces with the same rules. Generated from the endpoints and docs/contract.",
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/api/v1", description: "This installation" }],
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      paths: {
        ...pathsOf(path),
        "/": { get: realOperation("GET"), post: realOperation("POST") },
        ...pathsOf(dispatch),
      },
      webhooks: webhooks(),
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "API key, for the path interface (contract 1.2)." },
          apiKey: {
            type: "apiKey",
            in: "header",
            name: "X-API-Key",
            description: "API key, for the dispatch interface (contract 1.2).",
          },
        },
        schemas: { ...errorSchemas, PendingOutcome: pendingAnswer },
        responses: { ...sharedErrors(path), ...sharedErrors(dispatch) },
        parameters: {
          IdempotencyKey: {
            name: "Idempotency-Key",
            in: "header",
            description: "One key has one outcome: a repeated request returns the first response (contract 1.11).",
            schema: { type: "string", maxLength: 255 },
          },
        },
        headers: {
          "X-RateLimit-Limit": header("Requests a minute.", "integer"),
          "X-RateLimit-Remaining": header("Requests left in this minute.", "integer"),
          "X-RateLimit-Reset": header("When the minute ends, in seconds since 1970.", "integer"),
          "X-Request-Id": header("Id of this request, for support.", "string"),
          "Retry-After": header("Seconds to wait.", "integer"),
          Allow: header("The methods of the address or operation, separated by commas.", "string"),
          ETag: header("Of the body. Send it as `If-None-Match` to get 304 while nothing has changed.", "string"),
          "Idempotent-Replayed": header("`true`: the stored response of an earlier request.", "string"),
        },
      },
    },
    { override: ({ jsonSchema }) => simplify(jsonSchema) },
  );
  describeAnswers(document);
  return document;
}
