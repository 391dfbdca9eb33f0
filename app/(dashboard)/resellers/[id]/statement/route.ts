import { notFound } from "next/navigation";
import { answerStatement } from "#app/(dashboard)/wallet/statement/respond.ts";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";

interface Segment {
  readonly params: Promise<{ readonly id: string }>;
}

export async function GET(request: Request, { params }: Segment): Promise<Response> {
  const [user, { id }] = await Promise.all([requireAdminUser(), params]);
  const resellerId = parsePositiveInteger(id) as ResellerId | null;
  if (resellerId === null) notFound();
  return answerStatement(contextOf(user, { forReseller: resellerId }), request);
}
