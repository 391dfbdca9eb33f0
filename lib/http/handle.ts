import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import type { RateLimitDecision } from "#lib/domain/rate-limit.ts";
import { grants } from "#lib/domain/scopes.ts";
import { getRuntime, type Runtime } from "#lib/runtime.ts";
import { type AuthenticKey, allowsSource } from "#lib/services/api-key/keyring.ts";
import { recordRequest } from "#lib/services/api-key/record-request.ts";
import {
  type Answer,
  type ApiInterface,
  type Endpoint,
  type Method,
  methods,
  type RawParameters,
  type Target,
} from "./endpoint.ts";
import { answerOnce } from "./idempotency.ts";
import { readBodyParameters, readQueryParameters } from "./read-parameters.ts";
import { newRequestId } from "./request-id.ts";
import { toResponse } from "./response.ts";
import { type BodyRead, checkSignature } from "./signature.ts";
import { type Arrival, findSourceAddress } from "./source.ts";

/** Requests a minute of a source address without a valid key (decisions 1.5). */
const ANONYMOUS_LIMIT = 60;

/**
 * Answers one API request. The order of checks is the contract's (decisions 1.3): rate limit → key, and its signature →
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
  const startedAt = new Date();
  const startMs = performance.now();
  let limit = UNCOUNTED;
  let key: AuthenticKey | null = null;
  let endpoint: Endpoint | null = null;
  let response: Response;
  try {
    const sourceAddress = findSourceAddress(request.headers, arrival.peerAddress, runtime.trustedProxies);
    const token = api.readToken(request.headers);
    key = token === null ? null : await runtime.keyring.authenticate(token, startedAt);
    limit = countRequest(runtime, key, sourceAddress, startedAt);
    requireAllowed(limit);
    const authentic = requireKey(key, token, sourceAddress);
    const bodyRead = authentic.signing
      ? await checkSignature(runtime, request, arrival.target, authentic, startedAt)
      : undefined;
    const target = findTarget(url);
    endpoint = requireEndpoint(target, request.method);
    requireScope(authentic, endpoint);
    const facts = { requestId, sourceAddress, pathParameters: target?.pathParameters ?? {} };
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
const UNCOUNTED: RateLimitDecision = {
  allowed: true,
  limit: ANONYMOUS_LIMIT,
  remaining: ANONYMOUS_LIMIT,
  get resetsAtSeconds() {
    return Math.ceil(Date.now() / 1000);
  },
  retryAfterSeconds: 0,
};

async function answerEndpoint(
  runtime: Runtime,
  request: Request,
  url: URL,
  api: ApiInterface,
  endpoint: Endpoint,
  key: AuthenticKey,
  facts: { readonly requestId: string; readonly sourceAddress: string; readonly pathParameters: RawParameters },
  bodyRead: BodyRead,
): Promise<Answer & { readonly replayed?: boolean }> {
  const actor = { kind: "api_key", apiKeyId: key.apiKeyId, resellerId: key.resellerId, scopes: key.scopes } as const;
  if (endpoint.method === "GET") {
    const ctx = runtime.contextFor(actor, facts);
    return endpoint.answer(ctx, { ...readQueryParameters(url), ...facts.pathParameters }, facts);
  }
  const parameters = { ...(await readBodyParameters(request, api, bodyRead)), ...facts.pathParameters };
  const idempotencyKey = endpoint.method === "POST" ? request.headers.get("idempotency-key") : null;
  const ctx = runtime.contextFor(actor, { ...facts, idempotencyKey });
  const answer = () => endpoint.answer(ctx, parameters, facts);
  if (idempotencyKey === null) return answer();
  return answerOnce(
    ctx,
    { key: idempotencyKey, request: [api.name, endpoint.name, parameters] },
    answer,
    api.presentError,
  );
}

function countRequest(runtime: Runtime, key: AuthenticKey | null, sourceAddress: string, now: Date): RateLimitDecision {
  return key
    ? runtime.requestLimiter.take(`key:${key.apiKeyId}`, key.rateLimitPerMinute, now.getTime())
    : runtime.requestLimiter.take(sourceAddress, ANONYMOUS_LIMIT, now.getTime());
}

function requireAllowed(limit: RateLimitDecision): void {
  if (limit.allowed) return;
  throw new DomainError("rate_limited", "Too many requests. Wait until the window resets.", {
    retryAfterSeconds: limit.retryAfterSeconds,
  });
}

function requireKey(key: AuthenticKey | null, token: string | null, sourceAddress: string): AuthenticKey {
  if (token === null) throw new DomainError("api_key_missing", "Send an API key.");
  if (key === null) throw new DomainError("api_key_invalid", "This API key is invalid, expired or revoked.");
  if (allowsSource(key, sourceAddress)) return key;
  throw new DomainError("permission_denied", "This API key may not be used from this address.");
}

function requireEndpoint(target: Target, method: string): Endpoint {
  if (!target) throw new DomainError("operation_unknown", "There is nothing at this address.");
  const { endpoints } = target;
  const endpoint = endpoints[(method === "HEAD" ? "GET" : method) as Method];
  if (endpoint) return endpoint;
  const allow = methods
    .filter((known) => endpoints[known])
    .flatMap((known) => (known === "GET" ? ["GET", "HEAD"] : [known]));
  throw new DomainError("method_not_allowed", `Use ${allow.join(" or ")} here.`, { allow });
}

function requireScope(key: AuthenticKey, { scope }: Endpoint): void {
  if (grants(key.scopes, scope)) return;
  throw new DomainError("permission_denied", `This API key lacks the scope ${scope}.`);
}

function hideInternals(error: unknown, runtime: Runtime, requestId: string): DomainError {
  runtime.log.error({ err: error, requestId }, "request failed");
  return new DomainError("internal", "Something went wrong on our side. Tell us the request id.", { cause: error });
}
