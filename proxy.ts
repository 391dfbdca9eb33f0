import { type NextRequest, NextResponse } from "next/server";

/** Tells pages where the visitor wanted to go, for the way back after signing in; whatever the client sent is replaced. */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, searchParams } = request.nextUrl;
  const wanted = new URLSearchParams(searchParams);
  wanted.delete("_rsc");
  const headers = new Headers(request.headers);
  headers.set("x-pathname", wanted.size > 0 ? `${pathname}?${wanted}` : pathname);
  return NextResponse.next({ request: { headers } });
}

/** Pages alone: not the API, not Next's own files. */
export const config = { matcher: "/((?!api/|_next/|.*\\.[a-z0-9]+$).*)" };
