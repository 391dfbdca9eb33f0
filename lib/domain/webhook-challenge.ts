/**
 * Whether an answer's body meets a challenge: it is the challenge, or JSON whose `challenge` is. An answer that merely
 * contains it does not: a server that returns what it was sent has not agreed to anything.
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
