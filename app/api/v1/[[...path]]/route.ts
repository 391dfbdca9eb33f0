// Every address, also unknown ones: they get their 404 after the checks that come first (contract 1.3).
import { apiHandlers } from "#lib/http/route-table.ts";

export const dynamic = "force-dynamic";
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = apiHandlers;
