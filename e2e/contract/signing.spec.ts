import { execFile } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";

const run = promisify(execFile);

const FORM = { "content-type": "application/x-www-form-urlencoded" };

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
}

/** By the words of contract 3.14, without a line of ours. */
function signatureOf(secret: string, { method, target, body = "" }: Sent, t = Math.floor(Date.now() / 1000)): string {
  const hash = createHash("sha256").update(body).digest("hex");
  return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${method}.${target}.${hash}`).digest("hex")}`;
}

async function signer(reseller: Reseller, signing: "optional" | "required" = "required") {
  const { apiKey, signingSecret } = await reseller.newKey({ signing });
  const secret = signingSecret ?? "";
  /** `signed`: what the signature is made for, where it is not what is sent. */
  const send = (sent: Sent, signed: Sent | null = sent, t?: number) => {
    const headers = { ...FORM, ...(signed === null ? {} : { "x-signature": signatureOf(secret, signed, t) }) };
    const { method, target, body } = sent;
    const client = /^\/api\/v1\/?\?/.test(target) ? "dispatch" : "path";
    const type = client === "path" ? { "content-type": "application/json" } : {};
    const request = { method, target, headers: { ...headers, ...type }, ...(body === undefined ? {} : { body }) };
    return reseller[client].send(request, { key: apiKey });
  };
  return { send, apiKey };
}

let nonce = 0;
const balance = (): Sent => ({ method: "GET", target: `/api/v1/?endpoint=balance&nonce=${++nonce}` });

test("the signature covers path and query as they were sent, whatever is in them, at every address (contract 3.14, 1.1)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  const { send } = await signer(reseller);
  for (const target of [
    "/api/v1/?endpoint=balance",
    "/api/v1?endpoint=balance",
    "/api/v1/?endpoint=balance&a=b+c%20d&e=%C3%A4&f=/?:@!$'()*,;~",
    "/api/v1/?x=1&endpoint=balance&",
    "/api/v1/?endpoint=%62alance",
    '/api/v1/?endpoint=balance&q="<{|}>^`[]',
    `/api/v1/license/status?license_id=${license_id}&`,
    "/api/v1/licenses?q=it's",
    "/api/v1/licenses",
    "/api/v1/licenses?",
    "/api/v1/licenses?limit=1",
  ]) {
    const answer = await send({ method: "GET", target });
    expect(`${target} ${verdictOf(answer)}`).toBe(`${target} 200`);
  }
});

test("body, method and time are covered, a signature is good once, and a refused request has changed nothing (contract 3.14)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  const { send } = await signer(reseller);
  const body = `license_id=${license_id}`;
  const renewal: Sent = { method: "POST", target: "/api/v1/?endpoint=license.renew", body };
  const before = await readTraces(reseller.resellerId);
  const now = Math.floor(Date.now() / 1000);
  for (const refused of [
    await send(renewal, null),
    await send({ ...renewal, body: `${body}&cycle_id=1` }, renewal),
    await send({ ...renewal, body: "" }, renewal),
    await send(renewal, { ...renewal, method: "GET" }),
    await send(renewal, { ...renewal, target: "/api/v1?endpoint=license.renew" }),
    await send(renewal, renewal, now - 330),
    await send(renewal, renewal, now + 330),
  ]) {
    expect(verdictOf(refused)).toBe("401 INVALID_API_KEY");
  }
  expect(await readTraces(reseller.resellerId)).toEqual(before);
  const t = Math.floor(Date.now() / 1000);
  const [first, ...others] = (await Promise.all([1, 2, 3].map(() => send(renewal, renewal, t)))).toSorted(
    (a, b) => a.status - b.status,
  );
  expect(first?.body.data.balance_after).toBe(980);
  expect(others.map(verdictOf)).toEqual(Array(2).fill("401 INVALID_API_KEY"));
});

test("a nonce tells equal requests of one second apart; each is accepted once (contract 3.14)", async ({
  reseller,
}) => {
  const { apiKey, signingSecret } = await reseller.newKey({ signing: "required" });
  const target = "/api/v1/license/status";
  await reseller.newLicense({ ip: reseller.source });
  const t = Math.floor(Date.now() / 1000);
  const hash = createHash("sha256").update("").digest("hex");
  const signed = (n: string) => {
    const text = `${t}.${n}.GET.${target}.${hash}`;
    return `t=${t},n=${n},v1=${createHmac("sha256", signingSecret ?? "")
      .update(text)
      .digest("hex")}`;
  };
  const get = (header: string) =>
    reseller.path.send({ method: "GET", target, headers: { "x-signature": header } }, { key: apiKey });
  for (const [header, verdict] of [
    [signed("a"), "200"],
    [signed("b"), "200"],
    [signed("a"), "401 UNAUTHORIZED"],
    [signed("c").replace(",n=c", ",n=d"), "401 UNAUTHORIZED"],
    [signed("c").replace(",n=c", ""), "401 UNAUTHORIZED"],
    [signed("a.b"), "401 UNAUTHORIZED"],
    [signed(""), "401 UNAUTHORIZED"],
    [signed("x".repeat(65)), "401 UNAUTHORIZED"],
    [signed(`${"x".repeat(62)}-_`), "200"],
  ] as const) {
    expect(`${header} ${verdictOf(await get(header))}`).toBe(`${header} ${verdict}`);
  }
});

test("the body of a PATCH is covered, and a signed HEAD is answered (contract 3.14)", async ({ reseller }) => {
  const { send } = await signer(reseller);
  const { id } = (await reseller.path.post("/webhook-endpoints", { url: "https://hooks.invalid/" })).body;
  const target = `/api/v1/webhook-endpoints/${id}`;
  const change = (description: string): Sent => ({ method: "PATCH", target, body: JSON.stringify({ description }) });
  expect(verdictOf(await send(change("theirs"), change("mine")))).toBe("401 UNAUTHORIZED");
  expect((await send(change("mine"))).body.description).toBe("mine");
  const head = await send({ method: "HEAD", target });
  expect([head.status, head.text]).toEqual([200, ""]);
});

test("where signing is optional, a request without a signature passes and one with a wrong one does not (contract 3.14)", async ({
  reseller,
}) => {
  const { send } = await signer(reseller, "optional");
  expect((await send(balance(), null)).status).toBe(200);
  expect((await send(balance())).status).toBe(200);
  expect(verdictOf(await send(balance(), balance()))).toBe("401 INVALID_API_KEY");
  const path = await send({ method: "GET", target: "/api/v1/licenses" }, balance());
  expect(verdictOf(path)).toBe("401 UNAUTHORIZED");
});

test("what a caller claims to have sent does not stand for what it sent (contract 3.14)", async ({ reseller }) => {
  const { apiKey, signingSecret } = await reseller.newKey({ signing: "required" });
  const signed = balance();
  const headers = {
    "x-signature": signatureOf(signingSecret ?? "", signed),
    "x-license-desk-target": signed.target,
  };
  const answer = await reseller.dispatch.send({ ...balance(), headers }, { key: apiKey });
  expect(verdictOf(answer)).toBe("401 INVALID_API_KEY");
});

test("the printed shell sample is accepted (contract 3.14)", async ({ reseller, apiUrl }) => {
  const missing = await run("openssl", ["version"]).then(() => null, String);
  test.skip(missing !== null, String(missing));
  const { apiKey, signingSecret } = await reseller.newKey({ signing: "required" });
  const { license_id } = await reseller.newLicense();
  const [, sample = ""] = /^```sh\n(t=[\s\S]*?)```$/m.exec(readFileSync("docs/contract/rules.md", "utf8")) ?? [];
  const script = sample
    .replace("https://licenses.example", apiUrl)
    .replace("license_id=12", `license_id=${license_id}`)
    // A source of its own: others use up the quota of this machine.
    .replace("curl", `curl -H "X-Forwarded-For: ${reseller.newAddress()}"`);
  const env = { ...process.env, KEY: apiKey, SIGNING_SECRET: signingSecret ?? "" };
  const { stdout } = await run("sh", ["-c", script], { env });
  expect(stdout).toMatch(new RegExp(`^{"success":true,.*"license_id":${license_id},`));
});
