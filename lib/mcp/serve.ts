import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { KeyRequest } from "#lib/http/key-request.ts";
import { quote } from "#lib/http/quote.ts";
import { callTool, describeTool } from "./tool.ts";
import { tools, toolsFor } from "./tools.ts";

const INSTRUCTIONS = `License Desk sells and manages licenses of server software. Amounts are in major units of the currency beside them, times in UTC. Only renew_license charges, and only with the user's confirmation of the price.`;

/**
 * Answers one JSON-RPC message as JSON, with nothing kept afterwards: the SDK serves the stateless protocol of 2026 and
 * clients of the earlier ones.
 * @param headers of the request; the SDK reads those of the protocol
 */
export async function serveMessage(
  message: Readonly<Record<string, unknown>>,
  headers: Headers,
  call: KeyRequest,
): Promise<Response> {
  const request = toProtocolRequest(headers);
  const onerror = (error: Error) => call.runtime.log.debug({ err: error, requestId: call.requestId }, "MCP request");
  if (!(await isLegacyRequest(request, message))) {
    const handler = createMcpHandler(() => createServer(call), { legacy: "reject", onerror });
    return handler.fetch(request, { parsedBody: message });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createServer(call);
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message }).finally(() => server.close());
}

/** The SDK sees neither the key nor the connection, so a call completes even if its caller disconnects. */
function toProtocolRequest(headers: Headers): Request {
  const sent = ["mcp-protocol-version", "mcp-method", "mcp-name"].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return new Request("http://desk/mcp", {
    method: "POST",
    // Every answer is JSON, so a caller need not accept streams as well.
    headers: {
      ...Object.fromEntries(sent),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
  });
}

function createServer(call: KeyRequest): Server {
  const server = new Server(
    { name: "license-desk", title: "License Desk", version: "1.0.0" },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolsFor(call.key.scopes).map(describeTool) }));
  server.setRequestHandler("tools/call", ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${quote(params.name)}.`);
    return callTool(tool, params.arguments ?? {}, call);
  });
  return server;
}
