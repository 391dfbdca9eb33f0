import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { pagePolicy } from "#lib/http/security-headers.ts";

const NONCE_BYTES = 16;

/**
 * Gives each page a policy with a nonce of its own, which Next reads from the request's header and puts on its scripts;
 * pages read it from `x-nonce`. Tells pages where the visitor wanted to go, for the way back after signing in. What the
 * client sent under these names is replaced.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, searchParams } = request.nextUrl;
  const wanted = new URLSearchParams(searchParams);
  wanted.delete("_rsc");
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const policy = pagePolicy(nonce, process.env.NODE_ENV === "development");
  const headers = new Headers(request.headers);
  headers.set("x-pathname", wanted.size > 0 ? `${pathname}?${wanted}` : pathname);
  headers.set("content-security-policy", policy);
  headers.set("x-nonce", nonce);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** Whatever may be a page, those of errors included: not the API, not MCP, not Next's own files. */
export const config = { matcher: "/((?!api/v1|mcp(?:/?$)|_next/).*)" };
