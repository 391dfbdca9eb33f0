import { z } from "zod";
import { describeRenewalFailure } from "#lib/domain/renewal-failure.ts";
import { dayText } from "./blocks.ts";
import { amount, license } from "./fields.ts";

export const failedRenewal = z.object({ ...license, reason: z.string() });
type FailedRenewal = z.output<typeof failedRenewal>;

/** All renewals that the balance did not pay for. */
export const unpaidRenewals = z.object({ count: z.int(), price: amount, currency: z.string() });

export function failureHeading({ reason, expires_at }: FailedRenewal, count: number): string {
  return `${count === 1 ? "Expires" : "Expire"} on ${dayText(expires_at)} (${describeRenewalFailure(reason)}):`;
}
