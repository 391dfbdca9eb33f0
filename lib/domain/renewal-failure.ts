/** Why a renewal failed, as part of a sentence. */
export function describeRenewalFailure(reason: string): string {
  return reason === "insufficient_balance" ? "not enough balance" : reason.replaceAll("_", " ");
}
