import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Read when the dashboard is built: the answer is the same for everybody. */
export const dynamic = "force-static";

/** The agent that servers run; it contains no secret. Never cached, so an update takes effect at once. */
export function GET(): Response {
  return new Response(readFileSync(join(process.cwd(), "agent", "agent.sh"), "utf8"), {
    headers: { "content-type": "text/x-shellscript; charset=utf-8", "cache-control": "no-cache" },
  });
}
