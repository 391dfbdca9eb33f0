import { AccessEndedError } from "#lib/domain/access-ended.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { hashRequest } from "#lib/domain/request-hash.ts";
import { includesScope } from "#lib/domain/scopes.ts";
import { traced } from "#lib/domain/trace.ts";
import type { AuthenticKey } from "#lib/services/api-key/keyring.ts";
import { missingScope, type ServiceContext } from "#lib/services/context.ts";
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
import { contextOf, handleKeyRequest, type KeyRequest } from "./key-request.ts";
import { readBodyParameters, readQueryParameters } from "./read-parameters.ts";
import { isStreamed, toResponse, toTaggedResponse } from "./response.ts";
import type { Arrival } from "./source.ts";

/**
 * Handles one API request. Checks run in the contract's order, and the first failure decides (contract 1.3): rate limit
 * → key and signature → operation → method → scope → parameters → service.
 * @param url the parsed URL of the request
 * @param arrival connection facts from the server
 */
export function handleApiRequest(
  request: Request,
  url: URL,
  api: ApiInterface,
  findTarget: (url: URL) => Target,
  arrival: Arrival,
): Promise<Response> {
  return handleKeyRequest(request, api, arrival, async (call) => {
    const { key, requestId, sourceAddress, limit } = call;
    const target = findTarget(url);
    const endpoint = requireEndpoint(target, url, request.method, api);
    call.logAs(endpoint);
    requireScope(key, endpoint);
    const facts = { sourceAddress, currency: key.currency, pathParameters: target?.pathParameters ?? {} };
    const result = await runEndpoint(call, request, url, api, endpoint, facts);
    const answer = isStreamed(result.body) ? { ...result, body: whileValid(call, result.body) } : result;
    return endpoint.hasEtag
      ? toTaggedResponse(request, answer, limit, requestId)
      : toResponse(request.method, answer, limit, requestId);
  });
}

/** Revoking a key ends its streams, too, however slowly they are read: cut off, so that none looks complete. */
async function* whileValid(call: KeyRequest, chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const chunk of chunks) {
    if (!(await call.isValid())) throw new AccessEndedError();
    yield chunk;
  }
}

async function runEndpoint(
  call: KeyRequest,
  request: Request,
  url: URL,
  api: ApiInterface,
  endpoint: Endpoint,
  facts: RequestFacts & { readonly pathParameters: RawParameters },
): Promise<EndpointResult & { readonly replayed?: boolean }> {
  const parameters = endpoint.method === "GET" ? readQueryParameters(url, api) : await readBodyParameters(call, api);
  const read = endpoint.read(Object.assign(parameters, facts.pathParameters), facts);
  const { identity, isDryRun } = read;
  const handle = (ctx: ServiceContext) => traced({ name: `service ${endpoint.name}` }, () => read.handle(ctx));
  const idempotencyKey = endpoint.acceptsKey && !isDryRun ? request.headers.get("idempotency-key") : null;
  const ctx = contextOf(call);
  if (idempotencyKey === null) return handle(ctx);
  const requestHash = hashRequest(`${api.name} ${endpoint.name}`, identity);
  return handleKeyedRequest(ctx, { key: idempotencyKey, requestHash }, handle, api.presentError);
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

export function requireScope(key: AuthenticKey, { scope, orScope }: Pick<Endpoint, "scope" | "orScope">): void {
  if (scope === null) return;
  const anyOf = orScope === undefined ? [scope] : [scope, orScope];
  if (!anyOf.some((one) => includesScope(key.scopes, one))) throw missingScope(anyOf);
}
