import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import type { RateLimitDecision } from "#lib/domain/rate-limit.ts";
import { hashRequest } from "#lib/domain/request-hash.ts";
import { includesScope } from "#lib/domain/scopes.ts";
import { getRuntime, type Runtime } from "#lib/runtime.ts";
import { type AuthenticKey, allowsSource } from "#lib/services/api-key/keyring.ts";
import { recordRequest } from "#lib/services/api-key/record-request.ts";
import { scopeMissing } from "#lib/services/context.ts";
import {
  type Answer,
  type ApiInterface,
  type Endpoint,
  type Method,
  methods,
  type RawParameters,
  type RequestFacts,
  type Target,
} from "./endpoint.ts";
import { answerKeyedRequest } from "./idempotency.ts";
import { ANONYMOUS_LIMIT, identifyCaller, rateLimited } from "./identify-caller.ts";
import { internalError } from "./internal-error.ts";
import { readBodyParameters, readQueryParameters } from "./read-parameters.ts";
import { newRequestId } from "./request-id.ts";
import { toResponse } from "./response.ts";
import { type BodyRead, checkSignature } from "./signature.ts";
import { type Arrival, findSourceAddress } from "./source.ts";

/**
 * Answers one API request. The order of checks is the contract's (contract 1.3): rate limit → key, and its signature →
 * address or operation known → method → scope → parameters, and the services go on from there. What fails first decides.
 *
 * @param url the request's, parsed once for all who choose by it
 * @param arrival how it came, told by the server
 */
export async function handleApiRequest(
  request: Request,
  url: URL,
  api: ApiInterface,
  findTarget: (url: URL) => Target,
  arrival: Arrival,
): Promise<Response> {
  const runtime = getRuntime();
  const requestId = newRequestId();
  const startedAt = runtime.now();
  const startMs = performance.now();
  let limit = uncounted(startedAt);
  let key: AuthenticKey | null = null;
  let endpoint: Endpoint | null = null;
  let response: Response;
  try {
    const sourceAddress = findSourceAddress(request.headers, arrival.peerAddress, runtime.trustedProxies);
    const token = api.readToken(request.headers);
    ({ key, limit } = await identifyCaller(runtime, token, sourceAddress, startedAt));
    if (!limit.allowed) throw rateLimited(limit);
    const authentic = requireKey(key, token, sourceAddress, api);
    const bodyRead = authentic.signing
      ? await checkSignature(runtime, request, arrival.target, authentic, startedAt)
      : undefined;
    const target = findTarget(url);
    endpoint = requireEndpoint(target, url, request.method, api);
    requireScope(authentic, endpoint);
    const { currency } = authentic;
    const facts = { requestId, sourceAddress, currency, pathParameters: target?.pathParameters ?? {} };
    const answer = await answerEndpoint(runtime, request, url, api, endpoint, authentic, facts, bodyRead);
    response = toResponse(request.method, answer, limit, requestId);
  } catch (error) {
    const domainError = isDomainError(error) ? error : hideInternals(error, runtime, requestId);
    response = toResponse(request.method, api.presentError(domainError), limit, requestId, domainError);
  }
  if (key) {
    const { apiKeyId } = key;
    const { method } = request;
    const durationMs = performance.now() - startMs;
    recordRequest(runtime.db, {
      apiKeyId,
      startedAt,
      method,
      endpoint,
      status: response.status,
      durationMs,
      requestId,
    });
  }
  return response;
}

/** What the headers say while nobody could be counted, e.g. with the database away. */
function uncounted(now: Date): RateLimitDecision {
  return {
    allowed: true,
    limit: ANONYMOUS_LIMIT,
    remaining: ANONYMOUS_LIMIT,
    resetsAtSeconds: Math.ceil(now.getTime() / 1000),
    retryAfterSeconds: 0,
  };
}

async function answerEndpoint(
  runtime: Runtime,
  request: Request,
  url: URL,
  api: ApiInterface,
  endpoint: Endpoint,
  key: AuthenticKey,
  facts: RequestFacts & { readonly requestId: string; readonly pathParameters: RawParameters },
  bodyRead: BodyRead,
): Promise<Answer & { readonly replayed?: boolean }> {
  const actor = { kind: "api_key", apiKeyId: key.apiKeyId, resellerId: key.resellerId, scopes: key.scopes } as const;
  const parameters =
    endpoint.method === "GET" ? readQueryParameters(url, api) : await readBodyParameters(request, api, bodyRead);
  const call = endpoint.read({ ...parameters, ...facts.pathParameters }, facts);
  const idempotencyKey = endpoint.acceptsKey ? request.headers.get("idempotency-key") : null;
  const ctx = runtime.contextFor(actor, facts);
  if (idempotencyKey === null) return call.answer(ctx);
  const requestHash = hashRequest(`${api.name} ${endpoint.name}`, call.identity);
  return answerKeyedRequest(ctx, { key: idempotencyKey, requestHash }, call.answer, api.presentError);
}

function requireKey(
  key: AuthenticKey | null,
  token: string | null,
  sourceAddress: string,
  { keyHeader }: ApiInterface,
): AuthenticKey {
  if (token === null) throw new DomainError("api_key_missing", `Send an API key in the header ${keyHeader}.`);
  if (key === null) {
    throw new DomainError("api_key_invalid", `The API key in the header ${keyHeader} is invalid, expired or revoked.`);
  }
  if (allowsSource(key, sourceAddress)) return key;
  throw new DomainError("permission_denied", `This API key may not be used from ${sourceAddress}.`);
}

function requireEndpoint(target: Target, url: URL, method: string, api: ApiInterface): Endpoint {
  if (!target) throw api.unknownTarget(url);
  const { endpoints } = target;
  const endpoint = endpoints[(method === "HEAD" ? "GET" : method) as Method];
  if (endpoint) return endpoint;
  const allow = methods
    .filter((known) => endpoints[known])
    .flatMap((known) => (known === "GET" ? ["GET", "HEAD"] : [known]));
  throw new DomainError("method_not_allowed", `Use ${allow.join(" or ")} here, not ${method}.`, { allow });
}

function requireScope(key: AuthenticKey, { scope, orScope }: Endpoint): void {
  const anyOf = orScope === undefined ? [scope] : [scope, orScope];
  if (!anyOf.some((one) => includesScope(key.scopes, one))) throw scopeMissing(anyOf);
}

function hideInternals(error: unknown, runtime: Runtime, requestId: string): DomainError {
  runtime.log.error({ err: error, requestId }, "request failed");
  return internalError(requestId, error);
}
