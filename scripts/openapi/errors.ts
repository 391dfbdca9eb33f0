import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import type { DocumentedError } from "./contract-words.ts";
import { type Interface, JSON_TYPE } from "./interfaces.ts";

/** Every response carries them (contract 1.2, 1.5). */
export const responseHeaders = Object.fromEntries(
  ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
);
const retryableStatuses = new Set([429, 503]);
/** Of 409, whose other codes are final. */
const retryableCodes = new Set(["OPERATION_IN_PROGRESS", "IDEMPOTENCY_IN_PROGRESS"]);
const METHOD_NOT_ALLOWED = 405;
/** Component of an error that every operation can return. */
const sharedName = ({ name }: Interface, status: number) => `${name}Error${status}`;

const statusesOf = (errors: readonly DocumentedError[]) => [...new Set(errors.map(({ status }) => status))];

/** The errors of an operation, and those that every operation can return. */
export function errorResponses(api: Interface, own: readonly DocumentedError[]): ZodOpenApiResponsesObject {
  const shared = statusesOf(api.page.errorsOfEvery).map((status) => [
    String(status),
    { $ref: `#/components/responses/${sharedName(api, status)}` },
  ]);
  const owned = statusesOf(own).map((status) => {
    const all = [...own, ...api.page.errorsOfEvery].filter((error) => error.status === status);
    return [String(status), errorResponse(api, status, all)];
  });
  return Object.fromEntries([...shared, ...owned]);
}

export function sharedErrors(api: Interface): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    statusesOf(api.page.errorsOfEvery).map((status) => {
      const all = api.page.errorsOfEvery.filter((error) => error.status === status);
      return [sharedName(api, status), errorResponse(api, status, all)];
    }),
  );
}

function errorResponse({ name }: Interface, status: number, documented: readonly DocumentedError[]) {
  const codes = [...new Set(documented.map(({ code }) => code))];
  const lines = documented.map(({ code, cause, remedy }) => `- \`${code}\`: ${cause} ${remedy}`.trim());
  const isRetryable = retryableStatuses.has(status) || codes.some((code) => retryableCodes.has(code));
  return {
    description: [...new Set(lines)].join("\n"),
    headers: {
      ...responseHeaders,
      ...(isRetryable ? { "Retry-After": { $ref: "#/components/headers/Retry-After" } } : {}),
      ...(status === METHOD_NOT_ALLOWED ? { Allow: { $ref: "#/components/headers/Allow" } } : {}),
    },
    content: {
      [JSON_TYPE]: {
        schema: { allOf: [{ $ref: `#/components/schemas/${name}Error` }], properties: { code: { enum: codes } } },
      },
    },
  };
}
