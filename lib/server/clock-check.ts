import { measureClockSkewMs } from "#lib/db/connection/clock-skew.ts";
import { MAX_CLOCK_OFFSET_MS } from "#lib/domain/machine-health.ts";

/** @throws if this machine's clock and the database's differ too much */
export async function requireAgreeingClocks(databaseUrl: string): Promise<void> {
  const skewMs = await measureClockSkewMs(databaseUrl);
  if (Math.abs(skewMs) <= MAX_CLOCK_OFFSET_MS) return;
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1);
  throw new Error(
    `This machine's clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the database's. ` +
      `They must agree within ${MAX_CLOCK_OFFSET_MS / 1_000} s: set both by NTP, then start again.`,
  );
}
