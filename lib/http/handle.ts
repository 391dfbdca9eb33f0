import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import type { RateLimitDecision } from "#lib/domain/rate-limit.ts";
import { hashRequest } from "#lib/domain/request-hash.ts";
import { includesScope } from "#lib/domain/scopes.ts";
import { getRuntime, type Runtime } from "#lib/runtime.ts";
import { type AuthenticKey, allowsSource } from "#lib/services/api-key/keyring.ts";
import { recordRequest } from "#lib/services/api-key/record-request.ts";
import { missingScope } from "#lib/services/context.ts";
import {
  type ApiInterface,
  type Endpoint,
  type EndpointResult,
  type Method,
  methods,
  type RawParameters,
  type RequestFacts,
  type Target,
} from "./endpoint.ts";
import { handleKeyedRequest } from "./idempotency.ts";
import { ANONYMOUS_LIMIT, identifyCaller, rateLimited } from "./identify-caller.ts";
import { internalError } from "./internal-error.ts";
import { readBodyParameters, readQueryParameters } from "./read-parameters.ts";
import { newRequestId } from "./request-id.ts";
import { toResponse, toTaggedResponse } from "./response.ts";
import { type BodyRead, checkSignature } from "./signature.ts";
import { type Arrival, findSourceAddress } from "./source.ts";

/**
 * Handles one API request. Checks run in the contract's order, and the first failure decides (contract 1.3): rate limit
 * → key and signature → operation → method → scope → parameters → service.
 * @param url the parsed URL of the request
 * @param arrival connection facts from the server
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
  let limit = uncountedLimit(startedAt);
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
    const answer = await runEndpoint(runtime, request, url, api, endpoint, authentic, facts, bodyRead);
    response = endpoint.hasEtag
      ? toTaggedResponse(request, answer, limit, requestId)
      : toResponse(request.method, answer, limit, requestId);
  } catch (error) {
    const domainError = isDomainError(error) ? error : maskInternalError(error, runtime, requestId);
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

/** Rate-limit headers when counting was not possible, e.g. with the database away. */
function uncountedLimit(now: Date): RateLimitDecision {
  return {
    allowed: true,
    limit: ANONYMOUS_LIMIT,
    remaining: ANONYMOUS_LIMIT,
    resetsAtSeconds: Math.ceil(now.getTime() / 1000),
    retryAfterSeconds: 0,
  };
}

async function runEndpoint(
  runtime: Runtime,
  request: Request,
  url: URL,
  api: ApiInterface,
  endpoint: Endpoint,
  key: AuthenticKey,
  facts: RequestFacts & { readonly requestId: string; readonly pathParameters: RawParameters },
  bodyRead: BodyRead,
): Promise<EndpointResult & { readonly replayed?: boolean }> {
  const actor = { kind: "api_key", apiKeyId: key.apiKeyId, resellerId: key.resellerId, scopes: key.scopes } as const;
  const parameters =
    endpoint.method === "GET" ? readQueryParameters(url, api) : await readBodyParameters(request, api, bodyRead);
  const call = endpoint.read({ ...parameters, ...facts.pathParameters }, facts);
  const idempotencyKey = endpoint.acceptsKey && !call.isDryRun ? request.headers.get("idempotency-key") : null;
  const ctx = runtime.contextFor(actor, facts);
  if (idempotencyKey === null) return call.handle(ctx);
  const requestHash = hashRequest(`${api.name} ${endpoint.name}`, call.identity);
  return handleKeyedRequest(ctx, { key: idempotencyKey, requestHash }, call.handle, api.presentError);
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
  throw new DomainError("permission_denied", `This API key cannot be used from ${sourceAddress}.`);
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
  if (scope === null) return;
  const anyOf = orScope === undefined ? [scope] : [scope, orScope];
  if (!anyOf.some((one) => includesScope(key.scopes, one))) throw missingScope(anyOf);
}

function maskInternalError(error: unknown, runtime: Runtime, requestId: string): DomainError {
  runtime.log.error({ err: error, requestId }, "request failed");
  return internalError(requestId, error);
}
