import { getRuntime } from "#lib/runtime.ts";

/** Makes an endpoint one that has met its challenge long ago: nothing of it is left in the log. Takes `12` and `whe_12`. */
export async function consent(endpoint: number | string): Promise<void> {
  const { webhookEndpoint, event } = getRuntime().db.prisma;
  const id = Number(String(endpoint).replace("whe_", ""));
  const { challengeEventId } = await webhookEndpoint.update({
    where: { id },
    data: { pendingSince: null, challengeError: null },
  });
  if (challengeEventId !== null) await event.deleteMany({ where: { id: challengeEventId } });
}
