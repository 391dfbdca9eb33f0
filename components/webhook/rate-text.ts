import { numberFormat } from "#lib/domain/format-locale.ts";
import type { DeliveryRate } from "./webhook.ts";

const PERCENT = { style: "percent", maximumFractionDigits: 1 } as const;

/** "99.9%" of the attempts; less than all is never rounded up to all. "No attempts" without any. */
export function rateText({ succeeded, failed }: DeliveryRate): string {
  const total = succeeded + failed;
  if (total === 0) return "No attempts";
  return numberFormat(PERCENT).format(
    failed === 0 ? 1 : Math.min(Math.floor((succeeded / total) * 1_000) / 1_000, 0.999),
  );
}
