import { readInstalledFile } from "#lib/dashboard/installed-file.ts";
import { publicOrigin } from "#lib/dashboard/public-url.ts";
import { takeVisitorTurn } from "#lib/dashboard/visitor.ts";

/** Which URL this is, is known only when it runs. */
export const dynamic = "force-dynamic";

/** What installs the agent (docs/agent.md), from here; it contains no secret. */
export async function GET(): Promise<Response> {
  await takeVisitorTurn();
  const script = readInstalledFile("agent/install.sh");
  return new Response(script.replace("@LICENSE_DESK_URL@", publicOrigin()), {
    headers: { "content-type": "text/x-shellscript; charset=utf-8", "cache-control": "no-cache" },
  });
}
