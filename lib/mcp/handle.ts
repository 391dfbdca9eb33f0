import { DomainError } from "#lib/domain/errors.ts";
import type { KeyInterface } from "#lib/http/endpoint.ts";
import { handleKeyRequest, type KeyRequest } from "#lib/http/key-request.ts";
import { pathInterface } from "#lib/http/path-api/interface.ts";
import { readJsonObject } from "#lib/http/read-parameters.ts";
import { apiHeaders } from "#lib/http/response.ts";
import { presentRpcError } from "#lib/http/rpc-error.ts";
import type { Arrival } from "#lib/http/source.ts";

const mcpInterface: KeyInterface = {
  name: "mcp",
  keyHeader: pathInterface.keyHeader,
  readToken: pathInterface.readToken,
  presentError: presentRpcError,
};

const UNAUTHORIZED = 401;

/** Handles every request at `/mcp`: one JSON-RPC message of the Model Context Protocol (docs/mcp.md). */
export async function handleMcpRequest(request: Request, arrival: Arrival): Promise<Response> {
  const response = await handleKeyRequest(request, mcpInterface, arrival, (call) => answer(request, call));
  if (response.status === UNAUTHORIZED) response.headers.set("WWW-Authenticate", "Bearer");
  return response;
}

async function answer(request: Request, call: KeyRequest): Promise<Response> {
  const { method, headers } = request;
  call.logAs({ name: "mcp", scope: null });
  if (method !== "POST") {
    throw new DomainError("method_not_allowed", `Use POST here, not ${method}.`, { allow: ["POST"] });
  }
  if (headers.get("origin") !== null) {
    throw new DomainError("permission_denied", "Web pages cannot call this: API keys belong on servers.");
  }
  const message = await readJsonObject(call);
  if (message.method === "subscriptions/listen") {
    throw new DomainError("operation_unknown", "There is nothing to subscribe to.");
  }
  // Loading the SDK takes a third of a second and 30 MB, which only its users pay.
  const { serveMessage } = await import("./serve.ts");
  const response = await serveMessage(message, headers, call);
  const text = await response.text();
  return new Response(text === "" ? null : text, {
    status: response.status,
    headers: apiHeaders(call.limit, call.requestId),
  });
}
