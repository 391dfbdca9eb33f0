import { readLog } from "#app/(dashboard)/webhooks/log/read-log.ts";
import { parseView } from "#app/(dashboard)/webhooks/log/view.ts";
import { contextOf, findUser } from "#lib/dashboard/session.ts";

/** The newest page of the log, which asks for it every two seconds: cheaper than the page, and it waits for no action. */
export async function GET(request: Request): Promise<Response> {
  const user = await findUser();
  if (user?.role !== "reseller") return Response.json({ message: "Sign in again." }, { status: 401 });
  const view = parseView(Object.fromEntries(new URL(request.url).searchParams));
  const page = await readLog(contextOf(user), { ...view, before: null });
  return Response.json(page, { headers: { "cache-control": "no-store" } });
}
