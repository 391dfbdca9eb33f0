/** What a simulated provider does with a request (contract 5). */
export type Simulation =
  | "succeed"
  | "reject"
  | "lose_answer"
  | "lose_request"
  | "slow"
  | "garble"
  | "reject_last_member"
  | "refuse_connection";

/** Outcomes that test mode rehearses for any address. */
export const rehearsedOutcomes = [
  "reject",
  "lose_answer",
  "lose_request",
  "slow",
  "garble",
  "refuse_connection",
] as const satisfies readonly Simulation[];
export type RehearsedOutcome = (typeof rehearsedOutcomes)[number];

export const MAX_REHEARSED_REQUESTS = 100;
