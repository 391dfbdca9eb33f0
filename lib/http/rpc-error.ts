import type { DomainError } from "#lib/domain/errors.ts";
import { presentDispatchError } from "./error-table.ts";

/** Reserved by JSON-RPC 2.0 for messages that cannot be read; the rest is the server's own. */
const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

export type RpcId = string | number | null;

/** An error of `/mcp` outside of tools: the status and code of the dispatch interface in a JSON-RPC error. */
export function presentRpcError(error: DomainError, id: RpcId = null): { status: number; body: unknown } {
  const { status, body } = presentDispatchError(error);
  const { code, message, details } = body;
  const rpcCode = error.code === "body_unreadable" ? PARSE_ERROR : SERVER_ERROR;
  return { status, body: { jsonrpc: "2.0", id, error: { code: rpcCode, message, data: { code, details } } } };
}
