import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publicOrigin } from "#lib/dashboard/public-url.ts";

/** Which URL this is, is known only when it runs. */
export const dynamic = "force-dynamic";

/** What installs the agent (docs/agent.md), from here; it contains no secret. */
export function GET(): Response {
  const script = readFileSync(join(process.cwd(), "agent", "install.sh"), "utf8");
  return new Response(script.replace("@LICENSE_DESK_URL@", publicOrigin()), {
    headers: { "content-type": "text/x-shellscript; charset=utf-8", "cache-control": "no-cache" },
  });
}
