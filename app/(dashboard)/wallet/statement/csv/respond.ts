import { csvDownload } from "#lib/dashboard/download.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { parseDay, startOfNextDay } from "#lib/domain/times.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { streamStatement } from "#lib/services/wallet/statement-csv.ts";

/** The statement of the days `from` to `to` (UTC, both included) that a request's query names. */
export async function answerStatement(ctx: ServiceContext, request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const [from, to] = [parseDay(query.get("from") ?? ""), parseDay(query.get("to") ?? "")];
  if (from === null || to === null) return refused("Choose the first and the last day of the statement.");
  const period = { from, to: startOfNextDay(to) };
  try {
    return await csvDownload(`statement-${query.get("from")}-${query.get("to")}.csv`, streamStatement(ctx, period));
  } catch (error) {
    if (isDomainError(error) && error.code === "parameters_invalid")
      return refused("The period ends before it begins.");
    throw error;
  }
}

function refused(message: string): Response {
  return new Response(`${message}\n`, { status: 400, headers: { "Content-Type": "text/plain; charset=utf-8" } });
}
