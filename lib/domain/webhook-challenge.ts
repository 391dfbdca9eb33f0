/**
 * Accepts the challenge itself, or JSON whose `challenge` equals it. Merely containing it is not enough: a server that
 * echoes requests has not agreed to anything.
 */
export function meetsChallenge(body: string, challenge: unknown): boolean {
  if (typeof challenge !== "string" || challenge === "") return false;
  const text = body.trim();
  if (text === challenge) return true;
  try {
    const answer: unknown = JSON.parse(text);
    const echoed = typeof answer === "object" && answer !== null && "challenge" in answer ? answer.challenge : answer;
    return echoed === challenge;
  } catch {
    return false;
  }
}
