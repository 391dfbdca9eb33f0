import { redirect } from "next/navigation";
import { visitorContext } from "#lib/dashboard/define-visitor-action.ts";
import { takeVisitorTurn } from "#lib/dashboard/visitor.ts";
import { unsubscribe } from "#lib/services/mail/unsubscribe.ts";

const tokenOf = (request: Request) => new URL(request.url).searchParams.get("token") ?? "";

/** One click in a mail program (RFC 8058). */
export async function POST(request: Request): Promise<Response> {
  await takeVisitorTurn();
  const isDone = await unsubscribe(visitorContext(), { token: tokenOf(request) });
  return isDone ? new Response("Unsubscribed.\n") : new Response("Unknown token.\n", { status: 404 });
}

/** A person, who is asked first: programs open links, too. */
export async function GET(request: Request): Promise<never> {
  await takeVisitorTurn();
  redirect(`/stop-messages?token=${encodeURIComponent(tokenOf(request))}`);
}
