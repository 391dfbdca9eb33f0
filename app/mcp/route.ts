import { allMethods } from "#lib/http/route-table.ts";
import { readArrivalHeaders } from "#lib/http/source.ts";
import { handleMcpRequest } from "#lib/mcp/handle.ts";

export const dynamic = "force-dynamic";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = allMethods((request) =>
  handleMcpRequest(request, readArrivalHeaders(request)),
);
