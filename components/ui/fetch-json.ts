/**
 * Fetches JSON for a page that polls.
 * @throws without an answer, or if its status is not 2xx, which is then the error's cause
 */
export async function fetchJson<Answer>(href: string, signal: AbortSignal): Promise<Answer> {
  const answer = await fetch(href, { signal, headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`${href} answered ${answer.status}`, { cause: answer.status });
  return (await answer.json()) as Answer;
}
