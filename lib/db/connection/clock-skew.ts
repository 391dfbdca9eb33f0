import { withConnection } from "./with-connection.ts";

const SAMPLES = 3;

/** How far this machine's clock is ahead of the database's, at least: the round trip counts in its favor. */
export function measureClockSkewMs(databaseUrl: string): Promise<number> {
  return withConnection(databaseUrl, async (client) => {
    const skewsMs: number[] = [];
    for (let sample = 0; sample < SAMPLES; sample++) {
      const sentAtMs = Date.now();
      const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
      const databaseMs = rows[0]?.now.getTime() ?? 0;
      skewsMs.push(Math.max(sentAtMs - databaseMs, 0) + Math.min(Date.now() - databaseMs, 0));
    }
    return skewsMs.reduce((least, skewMs) => (Math.abs(skewMs) < Math.abs(least) ? skewMs : least));
  });
}
