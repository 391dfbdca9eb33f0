import { requireReseller } from "#app/(dashboard)/resellers/[id]/find.ts";
import { answerStatement } from "#app/(dashboard)/wallet/statement/csv/respond.ts";

interface Segment {
  readonly params: Promise<{ readonly id: string }>;
}

export async function GET(request: Request, { params }: Segment): Promise<Response> {
  const { ctx } = await requireReseller((await params).id);
  return answerStatement(ctx, request);
}
