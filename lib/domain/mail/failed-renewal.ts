import { z } from "zod";
import { describeRenewalFailure } from "#lib/domain/renewal-failure.ts";
import { sentenceCase } from "#lib/domain/text.ts";
import { dayText } from "./blocks.ts";
import { amount, license } from "./fields.ts";

export const failedRenewal = z.object({ ...license, reason: z.string() });
type FailedRenewal = z.output<typeof failedRenewal>;

/** All renewals that the balance did not pay for. */
export const unpaidRenewals = z.object({ count: z.int(), price: amount, currency: z.string() });

export function failureHeading({ reason, expires_at }: FailedRenewal): string {
  return `${sentenceCase(describeRenewalFailure(reason))}; expires on ${dayText(expires_at)}:`;
}
