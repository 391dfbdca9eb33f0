// Whatever is not an address of the path interface gets its 404, after the checks that come first (contract 1.3).
import { pathHandlers } from "#lib/http/route-table.ts";

export const dynamic = "force-dynamic";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pathHandlers;
