import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { answerStatement } from "./respond.ts";

export async function GET(request: Request): Promise<Response> {
  return answerStatement(contextOf(await requireResellerUser("wallet:read")), request);
}
