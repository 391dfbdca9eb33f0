import { readInstalledFile } from "#lib/dashboard/installed-file.ts";
import { takeVisitorTurn } from "#lib/dashboard/visitor.ts";

/** Nothing that was built before may answer: only a request has a turn. */
export const dynamic = "force-dynamic";

/** The agent that servers run; it contains no secret. Never cached, so an update takes effect at once. */
export async function GET(): Promise<Response> {
  await takeVisitorTurn();
  return new Response(readInstalledFile("agent/agent.sh"), {
    headers: { "content-type": "text/x-shellscript; charset=utf-8", "cache-control": "no-cache" },
  });
}
