/**
 * Checks the environment of a stock Next server, bounds what clients can cost it, traces it if configured, and tells the
 * API from where they call (`lib/server/protect-next.ts`).
 */
export async function register(): Promise<void> {
  // In this form, so that Next leaves the branch out of what it builds for the edge.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { protectNextServer } = await import("#lib/server/protect-next.ts");
    protectNextServer();
    const { startTracing } = await import("#lib/tracing.ts");
    await startTracing();
  }
}
