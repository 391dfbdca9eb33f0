import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import type { DocumentedError } from "./contract-words.ts";
import type { Interface } from "./interfaces.ts";

const JSON_TYPE = "application/json";

/** Every response carries them (contract 1.2, 1.5). */
export const responseHeaders = Object.fromEntries(
  ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
);
const retryable = new Set([429, 503]);
/** Component of an error that every operation can return. */
const sharedName = ({ name }: Interface, status: number) => `${name}Error${status}`;

/** The errors of an operation, and those that every operation can return. */
export function errorResponses(api: Interface, own: readonly DocumentedError[]): ZodOpenApiResponsesObject {
  const shared = Object.keys(sharedErrors(api)).map((name) => [
    name.slice(-3),
    { $ref: `#/components/responses/${name}` },
  ]);
  const statuses = new Set(own.map(({ status }) => status));
  const owned = [...statuses].map((status) => {
    const all = [...own, ...api.page.errorsOfEvery].filter((error) => error.status === status);
    return [String(status), errorResponse(api, status, all)];
  });
  return Object.fromEntries([...shared, ...owned]);
}

export function sharedErrors(api: Interface): Record<string, ZodOpenApiResponseObject> {
  const statuses = new Set(api.page.errorsOfEvery.map(({ status }) => status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const all = api.page.errorsOfEvery.filter((error) => error.status === status);
      return [sharedName(api, status), errorResponse(api, status, all)];
    }),
  );
}

function errorResponse({ name }: Interface, status: number, documented: readonly DocumentedError[]) {
  const codes = [...new Set(documented.map(({ code }) => code))];
  const lines = documented.map(({ code, cause, remedy }) => `- \`${code}\`: ${cause} ${remedy}`.trim());
  return {
    description: [...new Set(lines)].join("\n"),
    headers: {
      ...responseHeaders,
      ...(retryable.has(status) ? { "Retry-After": { $ref: "#/components/headers/Retry-After" } } : {}),
    },
    content: {
      [JSON_TYPE]: {
        schema: { allOf: [{ $ref: `#/components/schemas/${name}Error` }], properties: { code: { enum: codes } } },
      },
    },
  };
}
