import { DomainError, isDomainError } from "#lib/domain/errors.ts";
import { codeOf, NO_OPERATION } from "#lib/domain/observation.ts";
import type { RateLimitDecision } from "#lib/domain/rate-limit.ts";
import { type OpenSpan, traced } from "#lib/domain/trace.ts";
import { getRuntime, type Runtime } from "#lib/runtime.ts";
import { type AuthenticKey, allowsSource } from "#lib/services/api-key/keyring.ts";
import { type AnsweredRequest, recordRequest } from "#lib/services/api-key/record-request.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { KeyInterface } from "./endpoint.ts";
import { ANONYMOUS_LIMIT, identifyCaller, rateLimited, watchKey } from "./identify-caller.ts";
import { internalError } from "./internal-error.ts";
import { readBody } from "./read-body.ts";
import { newRequestId } from "./request-id.ts";
import { toResponse } from "./response.ts";
import { checkSignature } from "./signature.ts";
import { type Arrival, findSourceAddress } from "./source.ts";

/** A request of a valid key, from an address and with a signature that the key accepts. */
export interface KeyRequest {
  readonly runtime: Runtime;
  readonly key: AuthenticKey;
  readonly limit: RateLimitDecision;
  readonly requestId: string;
  readonly sourceAddress: string;
  readonly headers: Headers;
  /**
   * The body, however slowly it comes.
   * @throws DomainError `api_key_invalid` if the key has ended meanwhile, and those of `readBody`
   */
  readBody(): Promise<Uint8Array<ArrayBuffer>>;
  /** False once the key is revoked or has expired. */
  isValid(): Promise<boolean>;
  /** Names the request in its key's log; `status` if not the response's. */
  logAs(endpoint: AnsweredRequest["endpoint"], status?: number): void;
}

/**
 * Answers a request of an API key: rate limit → key → source address → signature → `answer`. Presents every error and
 * logs the request under its key (contract 1.3).
 */
export function handleKeyRequest(
  request: Request,
  api: KeyInterface,
  arrival: Arrival,
  answer: (call: KeyRequest) => Promise<Response>,
): Promise<Response> {
  const requestId = newRequestId();
  return traced({ name: api.name, kind: "server", request: { id: requestId, role: "begins" } }, (span) =>
    answerRequest(request, api, arrival, answer, { requestId, span }),
  );
}

async function answerRequest(
  request: Request,
  api: KeyInterface,
  arrival: Arrival,
  answer: (call: KeyRequest) => Promise<Response>,
  { requestId, span }: { readonly requestId: string; readonly span: OpenSpan },
): Promise<Response> {
  const runtime = getRuntime();
  const startedAt = runtime.now();
  const startMs = performance.now();
  let limit = uncountedLimit(startedAt);
  let key: AuthenticKey | null = null;
  let endpoint = null as AnsweredRequest["endpoint"];
  let status: number | undefined;
  let response: Response;
  let code: string | null = null;
  let source: string | null = null;
  try {
    const sourceAddress = findSourceAddress(request.headers, arrival.peerAddress, runtime.trustedProxies);
    source = sourceAddress;
    const token = api.readToken(request.headers);
    ({ key, limit } = await identifyCaller(runtime, token, sourceAddress, startedAt));
    if (!limit.allowed) throw rateLimited(limit);
    const authentic = requireKey(key, token, sourceAddress, api);
    const signedBody = authentic.signing
      ? await checkSignature(runtime, request, arrival.target, authentic, startedAt)
      : undefined;
    const logAs: KeyRequest["logAs"] = (...logged) => {
      [endpoint, status] = logged;
    };
    const isValid = watchKey(runtime, token, sourceAddress, startMs);
    const { headers } = request;
    const wholeBody = async () => {
      const body = signedBody ?? (await readBody(request));
      if (!(await isValid())) throw invalidKey(api);
      return body;
    };
    const caller = { runtime, key: authentic, limit, requestId, sourceAddress };
    response = await answer({ ...caller, headers, readBody: wholeBody, isValid, logAs });
  } catch (error) {
    const shown = toShownError(error, runtime, requestId);
    code = shown.code;
    response = toResponse(request.method, api.presentError(shown), limit, requestId, shown);
  }
  const durationMs = performance.now() - startMs;
  const answered = status ?? response.status;
  const operation = endpoint?.name ?? NO_OPERATION;
  span.rename(`${api.name} ${operation}`);
  span.set({ "http.response.status_code": answered, "license_desk.request_id": requestId });
  if (code !== null) span.fail(code);
  runtime.requestAnswered({
    interface: api.name,
    operation,
    code: code ?? codeOf(answered),
    status: answered,
    durationMs,
    requestId,
    key: key?.hint ?? null,
    resellerId: key?.resellerId ?? null,
    source,
  });
  if (key) {
    const { apiKeyId } = key;
    const { method } = request;
    recordRequest(runtime.db, { apiKeyId, startedAt, method, endpoint, status: answered, durationMs, requestId });
  }
  return response;
}

export function contextOf({ runtime, key, requestId, sourceAddress }: KeyRequest): ServiceContext {
  const { apiKeyId, firstKeyId, resellerId, scopes, licenseId, spendingKeyId } = key;
  const actor = { kind: "api_key", apiKeyId, firstKeyId, resellerId, scopes, licenseId, spendingKeyId } as const;
  return runtime.contextFor(actor, { requestId, address: sourceAddress });
}

/** Logs and hides what is not a domain error. */
export function toShownError(error: unknown, runtime: Runtime, requestId: string): DomainError {
  if (isDomainError(error)) return error;
  runtime.log.error({ err: error, requestId }, "request failed");
  return internalError(requestId, error);
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

function requireKey(
  key: AuthenticKey | null,
  token: string | null,
  sourceAddress: string,
  api: KeyInterface,
): AuthenticKey {
  if (token === null) throw new DomainError("api_key_missing", `Send an API key in the header ${api.keyHeader}.`);
  if (key === null) throw invalidKey(api);
  if (allowsSource(key, sourceAddress)) return key;
  throw new DomainError("permission_denied", `This API key cannot be used from ${sourceAddress}.`);
}

function invalidKey({ keyHeader }: KeyInterface): DomainError {
  return new DomainError("api_key_invalid", `The API key in the header ${keyHeader} is invalid, expired or revoked.`);
}
