import { pathHandlers } from "#lib/http/route-table.ts";

export const dynamic = "force-dynamic";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pathHandlers;
