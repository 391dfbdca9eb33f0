import { readLog } from "#app/(dashboard)/webhooks/log/read-log.ts";
import { loadLogParams } from "#components/webhook/log-params.ts";
import { contextOf, findUser } from "#lib/dashboard/session.ts";

/** The newest page of the log, which asks for it every two seconds: cheaper than the page, and it waits for no action. */
export async function GET(request: Request): Promise<Response> {
  const user = await findUser();
  if (user?.kind !== "reseller") return Response.json({ message: "Sign in again." }, { status: 401 });
  const page = await readLog(contextOf(user), { ...loadLogParams(request), before: null });
  return Response.json(page, { headers: { "cache-control": "no-store" } });
}
