import { randomUUID } from "node:crypto";
import { consent } from "../support/consent.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";

interface ListedEvent {
  readonly id: string;
  readonly event: string;
  readonly license_id: string | null;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function listEvents(reseller: Reseller, query: Readonly<Record<string, string | number>> = {}) {
  const { status, body } = await reseller.path.get("/events", query);
  expect(status).toBe(200);
  return body as unknown as { readonly events: readonly ListedEvent[]; readonly next_cursor: string | null };
}

test("GET /events lists what happened, newest first, as the webhook tells it, without any endpoint", async ({
  reseller,
}) => {
  const { license_id, type } = await reseller.newLicense();
  await reseller.dispatch.post("license.suspend", { license_id });
  const { events, next_cursor } = await listEvents(reseller, { license_id: `lic_${license_id}` });
  expect(next_cursor).toBeNull();
  expect(events.map(({ event }) => event)).toEqual(["license.suspended", "license.activated"]);
  expect(events[1]).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
    event: "license.activated",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    license_id: `lic_${license_id}`,
    data: expect.objectContaining({ license_id: `lic_${license_id}`, type, server: expect.any(String) }),
  });
});

test("limit with cursor walks every event once; kind and license_id filter", async ({ reseller }) => {
  const licenses = [await reseller.newLicense(), await reseller.newLicense(), await reseller.newLicense()];
  const all = (await listEvents(reseller)).events.map(({ id }) => id);
  const walked: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await listEvents(reseller, { limit: 2, ...(cursor === "" ? {} : { cursor }) });
    expect(page.events.length).toBeLessThanOrEqual(2);
    walked.push(...page.events.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  expect(walked).toEqual(all);
  const activated = (await listEvents(reseller, { kind: "license.activated" })).events;
  expect(activated.map(({ license_id }) => license_id)).toEqual(
    licenses.map(({ license_id }) => `lic_${license_id}`).toReversed(),
  );
});

test("wrong parameters are INVALID_REQUEST and named", async ({ reseller }) => {
  for (const query of [
    { limit: 0 },
    { limit: 1001 },
    { limit: "x" },
    { cursor: "!" },
    { cursor: Buffer.from("1:evt_x").toString("base64url") },
    { cursor: Buffer.from(`999999999999999:evt_${randomUUID()}x`).toString("base64url") },
    { kind: "license.imagined" },
    { license_id: "x" },
  ]) {
    const answer = await reseller.path.get("/events", query);
    expect(`${JSON.stringify(query)} ${verdictOf(answer)}`).toContain("400 INVALID_REQUEST");
    expect(Object.keys(answer.body.details)).toEqual(Object.keys(query));
  }
});

test("an event is told with its deliveries, and is resent to one endpoint or to all that take its kind", async ({
  reseller,
}) => {
  await reseller.newLicense();
  const [event] = (await listEvents(reseller, { kind: "license.activated" })).events;
  const read = async () => (await reseller.path.get(`/events/${event?.id}`)).body;
  expect(await read()).toEqual({ ...event, deliveries: [] });
  const asked = await reseller.path.get(`/events/${event?.id}`, { id: `evt_${randomUUID()}` });
  expect(asked.body.id, "the path says which").toBe(event?.id);

  const make = async (fields: object) => {
    const { body } = await reseller.path.post("/webhook-endpoints", { url: "https://hooks.invalid/", ...fields });
    await consent(body.id as string);
    return body.id as string;
  };
  const takesAll = await make({});
  const takesOther = await make({ events: ["wallet.topped_up"] });
  const toAll = await reseller.path.post(`/events/${event?.id}/resend`, {});
  expect([toAll.status, toAll.body]).toEqual([202, { id: event?.id, webhook_endpoint_ids: [takesAll] }]);
  const toOne = await reseller.path.post(`/events/${event?.id}/resend`, { webhook_endpoint_id: takesOther });
  expect(toOne.body).toEqual({ id: event?.id, webhook_endpoint_ids: [takesOther] });
  const { deliveries } = await read();
  expect(deliveries).toMatchObject([
    { webhook_endpoint_id: takesAll, url: "https://hooks.invalid/", state: "pending" },
    { webhook_endpoint_id: takesOther },
  ]);
  for (const webhook_endpoint_id of ["x", "whe_0", 5]) {
    const answer = await reseller.path.post(`/events/${event?.id}/resend`, { webhook_endpoint_id });
    expect(verdictOf(answer)).toBe("400 INVALID_REQUEST");
  }
  const unknown = await reseller.path.post(`/events/${event?.id}/resend`, { webhook_endpoint_id: "whe_2147483647" });
  expect(verdictOf(unknown)).toBe("404 NOT_FOUND");
});

test("another reseller's event answers as one that does not exist, and so does what is no id (contract 1.12)", async ({
  reseller,
  newReseller,
}) => {
  const other = await newReseller();
  await other.newLicense();
  const [foreign] = (await listEvents(other)).events;
  for (const id of [foreign?.id, `evt_${randomUUID()}`, randomUUID(), "evt_", "evt_1", "x"]) {
    expect([id, verdictOf(await reseller.path.get(`/events/${id}`))]).toEqual([id, "404 NOT_FOUND"]);
    expect([id, verdictOf(await reseller.path.post(`/events/${id}/resend`, {}))]).toEqual([id, "404 NOT_FOUND"]);
  }
  const ids = (await listEvents(reseller)).events.map(({ id }) => id);
  expect(ids).not.toContain(foreign?.id);
});
