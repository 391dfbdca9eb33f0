import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signRequest } from "#lib/domain/request-signature.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { rotateApiKey } from "#lib/services/api-key/rotate.ts";
import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import { sql } from "#tests/sql.ts";
import { type Account, type Desk, LATER_MS, newDesk } from "#tests/support/desk.ts";

/** Two instances of an installation share a database; this test restarts one process instead. */
let desk: Desk;
let optional: Account;
let required: Account;
let plain: Account;

beforeAll(async () => {
  desk = await newDesk({ timeoutMs: 500 });
  await desk.start();
  [plain, optional, required] = [
    await desk.account(),
    await desk.account({ signing: "optional" }),
    await desk.account({ signing: "required" }),
  ];
}, 60_000);
afterAll(() => desk.close());

const nowSeconds = () => Math.floor(Date.now() / 1000);
let nonce = 0;

interface Sent {
  readonly method: "GET" | "POST";
  readonly target: string;
  readonly body?: string;
}

const fresh = (target: string) => `/api/v1/${target}${target.includes("?") ? "&" : "?"}nonce=${++nonce}`;
const balance = (): Sent => ({ method: "GET", target: fresh("?endpoint=balance") });
const renewal = (): Sent => ({ method: "POST", target: fresh("?endpoint=license.renew"), body: "license_id=99" });

const sign = ({ method, target, body = "" }: Sent, { signingSecret }: Account, at = nowSeconds()) =>
  signRequest(signingSecret ?? "", { method, target, body }, at);

async function send({ method, target, body }: Sent, { apiKey }: Account, signature: string | null): Promise<string> {
  const response = await fetch(new URL(target, desk.baseUrl), {
    method,
    headers: {
      "x-api-key": apiKey,
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      ...(signature === null ? {} : { "x-signature": signature }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const answer = (await response.json()) as { code?: string };
  return answer.code ? `${response.status} ${answer.code}` : String(response.status);
}

const REFUSED = "401 INVALID_API_KEY";

describe("contract 3.14: a request under a key with a signing secret", () => {
  test("that is signed is served, with its body intact", async () => {
    for (const account of [optional, required]) {
      const read = balance();
      expect(await send(read, account, sign(read, account))).toBe("200");
      const write = renewal();
      expect(await send(write, account, sign(write, account))).toBe("404 LICENSE_NOT_FOUND");
    }
  });

  test("that is not signed is rejected if the key requires it", async () => {
    expect(await send(balance(), required, null)).toBe(REFUSED);
    expect(await send({ method: "GET", target: fresh("licenses") }, required, null)).toBe("401 UNAUTHORIZED");
    expect(await send(balance(), optional, null)).toBe("200");
  });

  test("is rejected before its operation, parameters or scope are checked", async () => {
    expect(await send({ method: "GET", target: fresh("?endpoint=nothing") }, required, null)).toBe(REFUSED);
    expect(await send({ method: "POST", target: fresh("?endpoint=balance"), body: "a=1&a=1" }, required, null)).toBe(
      REFUSED,
    );
  });

  test.each([
    ["body", (sent: Sent): Sent => ({ ...sent, body: "license_id=98" })],
    ["query", (sent: Sent): Sent => ({ ...sent, target: `${sent.target}&cycle_id=1` })],
    ["operation", (sent: Sent): Sent => ({ ...sent, target: sent.target.replace("renew", "suspend") })],
    ["path", (sent: Sent): Sent => ({ ...sent, target: sent.target.replace("v1/?", "v1?") })],
    ["method", (sent: Sent): Sent => ({ method: "GET", target: sent.target })],
  ])("with a tampered %s is rejected", async (_, tamper) => {
    const sent = renewal();
    expect(await send(tamper(sent), optional, sign(sent, optional))).toBe(REFUSED);
  });

  test("signed with another key's secret, or with an unreadable signature, is rejected", async () => {
    const sent = balance();
    expect(await send(sent, optional, sign(sent, required))).toBe(REFUSED);
    expect(await send(sent, optional, "v1=zz")).toBe(REFUSED);
    expect(await send(sent, optional, "")).toBe(REFUSED);
  });

  test("signed by a clock more than five minutes off is rejected", async () => {
    for (const [skew, answer] of [
      [-290, "200"],
      [290, "200"],
      [-310, REFUSED],
      [310, REFUSED],
    ] as const) {
      const sent = balance();
      expect(await send(sent, required, sign(sent, required, nowSeconds() + skew))).toBe(answer);
    }
  });

  test("is accepted once, even among concurrent copies, and after a restart", async () => {
    const sent = balance();
    const signature = sign(sent, required);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(sent, required, signature)));
    expect(answers.filter((answer) => answer === "200")).toHaveLength(1);
    expect(new Set(answers)).toEqual(new Set(["200", REFUSED]));
    await desk.kill();
    await desk.start();
    expect(await send(sent, required, signature)).toBe(REFUSED);
  });

  test("under a key without a secret, the header is ignored and not stored", async () => {
    const before = await desk.db.prisma.usedSignature.count();
    expect(await send(balance(), plain, "t=1,v1=00")).toBe("200");
    expect(await desk.db.prisma.usedSignature.count()).toBe(before);
  });

  test("the secret is stored sealed, a rotated key gets a new one, and both are shown once", async () => {
    const { resellerId } = required;
    const made = await createResellerApiKey(desk.operator(), {
      resellerId,
      name: "signed",
      scopes: ["wallet:read"],
      signing: "required",
    });
    const rotated = await rotateApiKey(desk.operator(), { apiKeyId: made.apiKeyId });
    expect(made.signingSecret).toMatch(/^lss_[\w-]{43}$/);
    expect(rotated.signingSecret).not.toBe(made.signingSecret);
    const rows = await desk.db.query(sql("select k::text, signing_secret from api_keys k"), []);
    expect(JSON.stringify(rows)).not.toContain(made.signingSecret);
    const account = { resellerId, apiKey: rotated.apiKey, signingSecret: rotated.signingSecret };
    const sent = balance();
    expect(await send(sent, account, sign(sent, { ...account, signingSecret: made.signingSecret }))).toBe(REFUSED);
    expect(await send(sent, account, sign(sent, account))).toBe("200");
    expect(await send(balance(), account, null)).toBe(REFUSED);
  });

  test("used signatures are kept while they are tolerated, then deleted", async () => {
    const sent = balance();
    await send(sent, required, sign(sent, required));
    expect(await pruneOldRecords(desk.operator(600_000))).toMatchObject({ usedSignatures: 0 });
    expect((await pruneOldRecords(desk.operator(LATER_MS))).usedSignatures).toBeGreaterThan(0);
    expect(await desk.db.prisma.usedSignature.count()).toBe(0);
  });
});
