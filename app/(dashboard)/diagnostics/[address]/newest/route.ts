import type { NewestReport } from "#components/diagnostics/server.ts";
import { readSegment } from "#lib/dashboard/path-segment.ts";
import { contextOf, findUser } from "#lib/dashboard/session.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import { findServerState } from "#lib/services/diagnostics/get-server.ts";

/** When a server reported last, or null, for the page that waits for it. */
export async function GET(_request: Request, { params }: { readonly params: Promise<{ address: string }> }) {
  const user = await findUser();
  if (user?.kind !== "reseller") return Response.json({ message: "Sign in again." }, { status: 401 });
  const address = parseIpv4(readSegment((await params).address));
  const state = address && (await findServerState(contextOf(user), { address }));
  const answer: NewestReport = { reportedAt: state?.report.reportedAt.toISOString() ?? null };
  return Response.json(answer, { headers: { "cache-control": "no-store" } });
}
