/**
 * What an address answers now, for a page that asks again and again.
 * @throws without an answer, or when it is a refusal, whose status is the error's cause
 */
export async function fetchJson<Answer>(href: string, signal: AbortSignal): Promise<Answer> {
  const answer = await fetch(href, { signal, headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`${href} answered ${answer.status}`, { cause: answer.status });
  return (await answer.json()) as Answer;
}
