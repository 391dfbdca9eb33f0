import { idIn } from "#app/(dashboard)/or-not-found.ts";
import type { NewestRequest } from "#components/api-key/api-key.ts";
import { contextOf, findUser } from "#lib/dashboard/session.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { listApiRequests } from "#lib/services/api-key/list-requests.ts";

/** The newest request with a key, or null, for the page that waits for the first one. */
export async function GET(_request: Request, { params }: { readonly params: Promise<{ id: string }> }) {
  const user = await findUser();
  if (user === null) return Response.json({ message: "Sign in again." }, { status: 401 });
  const apiKeyId = idIn<ApiKeyId>((await params).id);
  const { rows: requests } = await listApiRequests(contextOf(user), { filter: { apiKeyId }, before: null, limit: 1 });
  const [newest] = requests;
  const answer: NewestRequest | null = newest
    ? { method: newest.method, operation: newest.operation, status: newest.status }
    : null;
  return Response.json(answer, { headers: { "cache-control": "no-store" } });
}
