import { createHash } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { getRuntime } from "#lib/runtime.ts";
import { ACTION_KEY } from "#lib/server/action-key.ts";
import { type BuiltAction, listActions } from "../support/build.ts";
import { newSession } from "../support/session.ts";
import { expect, test } from "../support/test.ts";

/** Arguments as no page sends them, each in the place of every argument. */
const oddArguments = [
  ...['"$undefined"', "null", "-1.5", '""', "[]", '{"toString":1,"valueOf":1}', '"a\\u0000b"', '"\\ud800"'],
];
/** What no page sends as a body. */
const oddBodies = ["", "null", "{}", "[", "nonsense", '["$F1"]', '["$@0"]', '[{"a":"$1:constructor"}]', '["$Q1"]'];

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function call(url: string, action: BuiltAction, cookie: string, body: string, headers = {}): Promise<Answer> {
  const answer = await fetch(url + action.page, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: url, "next-action": action.id, "content-type": "text/plain;charset=UTF-8", ...headers },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

test("every server action answers whatever its arguments are, and says what is wrong: no 5xx, no internal error", async ({
  apiUrl,
  reseller,
}) => {
  test.setTimeout(240_000);
  const broken: string[] = [];
  test.skip(test.info().project.name === "api-next", "Server actions are Next's, whoever serves them.");
  for (const cookie of ["", await newSession(reseller.resellerId), await newSession(null)]) {
    for (const action of listActions().filter(({ name }) => !name.endsWith(" signOut"))) {
      for (const odd of cookie === "" ? oddArguments.slice(0, 1) : oddArguments) {
        const { status, text } = await call(apiUrl, action, cookie, `[${[odd, odd, odd].join()}]`);
        if (status >= 500 || text.includes('"code":"internal"')) broken.push(`${action.name} ${odd} → ${status}`);
      }
    }
  }
  expect(broken).toEqual([]);
});

test("a key that cannot be stored is refused, and so is one that is too long", async ({ apiUrl, reseller }) => {
  const cookie = await newSession(reseller.resellerId);
  const action = listActions().find(({ name }) => name.endsWith("wallet/actions.ts setThreshold"));
  if (action === undefined) throw new Error("there is no threshold");
  const send = (key: string) => call(apiUrl, action, cookie, JSON.stringify([{ threshold: null }, key]));
  for (const key of ["a\0", "a\ud800", "x".repeat(201)]) {
    const { status, text } = await send(key);
    expect([status, text]).toEqual([200, expect.stringContaining('"code":"page_outdated"')]);
  }
  expect((await send("x".repeat(200))).text).toContain('"ok":true');
});

test("what no page sends to a server action is refused before React reads it", async ({ apiUrl, reseller }) => {
  test.setTimeout(120_000);
  const cookie = await newSession(reseller.resellerId);
  for (const action of listActions()) {
    for (const body of oddBodies) {
      expect(`${action.name} ${body} ${(await call(apiUrl, action, cookie, body)).status}`).toMatch(/ 400$/);
    }
    const ids = await call(apiUrl, action, cookie, "[]", { "next-action": `${action.id}, ${action.id}` });
    const type = await call(apiUrl, action, cookie, "[]", { "content-type": "multipart/form-data; boundary=b" });
    const site = await call(apiUrl, action, cookie, "[]", { origin: "https://evil.example" });
    const nobody = await call(apiUrl, action, cookie, "[]", { origin: "null" });
    expect(
      [ids, type, site, nobody].map(({ status }) => status),
      action.name,
    ).toEqual([404, 415, 403, 403]);
  }
});

test("a form that no script sends calls no action", async ({ apiUrl, reseller }) => {
  const cookie = await newSession(reseller.resellerId);
  for (const { id } of listActions()) {
    const body = new FormData();
    body.append(`$ACTION_ID_${id}`, "");
    const answer = await fetch(`${apiUrl}/settings`, { method: "POST", headers: { cookie, origin: apiUrl }, body });
    expect(answer.status).toBe(415);
  }
});

test("an action's id depends on its file and name only, so machines that build for themselves understand each other", () => {
  for (const { id, name } of listActions()) {
    const source = ACTION_KEY + name.replace(/ (?=\S+$)/, ":");
    expect(id.slice(2), name).toBe(createHash("sha1").update(source).digest("hex"));
    expect(name, "encloses values, which would be encrypted by a public key").not.toContain("$$");
  }
});

test("an action that another page has is called all the same, also behind https or with an Upgrade header, and the caller's address is kept", async ({
  apiUrl,
  reseller: { resellerId },
}) => {
  const cookie = await newSession(resellerId);
  const action = listActions().find(({ name }) => name.endsWith("wallet/actions.ts setThreshold"));
  if (action === undefined) throw new Error("there is no threshold");
  const forged = { "x-license-desk-peer": "203.0.113.9", "x-license-desk-seal": "x" };
  for (const [at, more] of [{}, forged, { "x-forwarded-proto": "https" }, { upgrade: "x" }].entries()) {
    const headers = { cookie, origin: apiUrl, "next-action": action.id, "content-type": "text/plain", ...more };
    const body = JSON.stringify([{ threshold: `1${at}` }]);
    // From a peer that no server here trusts.
    const sent = request(`${apiUrl}/docs`, { method: "POST", headers, localAddress: "127.0.0.2" }).end(body);
    const [answer] = await once(sent, "response");
    expect(await text(answer)).toContain('"ok":true');
  }
  const where = { resellerId, action: "wallet.set_low_balance_threshold" };
  const entries = await getRuntime().db.prisma.auditEntry.findMany({ where });
  expect(entries.map(({ address }) => address)).toEqual(Array(4).fill("127.0.0.2"));
});
