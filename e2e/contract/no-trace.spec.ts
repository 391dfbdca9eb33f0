import type { OutgoingHttpHeaders } from "node:http";
import { readTraces } from "../support/books.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_BODY = { "content-type": "application/json" };
const MULTIPART = { "content-type": "multipart/form-data; boundary=b" };

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

interface Sent {
  /** Nothing: the dispatch interface's `license.register`. */
  readonly target?: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** What would register a license, were it not for the one thing that each row spoils. */
interface Good {
  readonly product_id: number;
  readonly cycle_id: number;
  readonly ip_address: string;
}

const form = (good: Good, change: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({ ...good, ...change } as unknown as Record<string, string>).toString();

const inForm =
  (change: Readonly<Record<string, string>>, rest = "") =>
  (good: Good): Sent => ({ headers: FORM, body: form(good, change) + rest });

const inMultipart =
  (rest: string) =>
  (good: Good): Sent => {
    const fields = Object.entries(good).map(([name, value]) => field(name, String(value)));
    return { headers: MULTIPART, body: `${fields.join("")}${rest}--b--` };
  };

const inJson =
  (change: Readonly<Record<string, unknown>>, rest = "") =>
  (good: Good): Sent => ({ headers: JSON_BODY, body: JSON.stringify({ ...good, ...change }) + rest });

const twiceInJson = (good: Good): Sent => ({
  headers: JSON_BODY,
  body: `${JSON.stringify(good).slice(0, -1)},"\\u0069p_address":"10.0.0.1"}`,
});

/** Under an idempotency key, as the whole request is then compared with a later one. */
const nested = (good: Good, depth: number): Sent => {
  const value = `${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}`;
  const headers = { ...JSON_BODY, "idempotency-key": "deep" };
  return { headers, body: `${JSON.stringify(good).slice(0, -1)},"x":${value}}` };
};

const withKey =
  (key: string) =>
  (good: Good): Sent => ({ headers: { ...FORM, "idempotency-key": key }, body: form(good) });

type Row = readonly [name: string, verdict: string, request: (good: Good) => Sent];

const rows: readonly Row[] = [
  ["an unknown operation", "404 UNKNOWN_ENDPOINT", (good) => ({ ...inForm({})(good), target: "license.buy" })],
  ["a wrong method", "405 METHOD_NOT_ALLOWED", (good) => ({ ...inForm({})(good), method: "PUT" })],
  [
    "a wrong content type",
    "415 UNSUPPORTED_MEDIA_TYPE",
    (good) => ({ ...inForm({})(good), headers: { "content-type": "text/plain" } }),
  ],
  ["a body of 10 MB", "413 PAYLOAD_TOO_LARGE", inForm({ notes: "n".repeat(10_000_000) })],
  ["%00 in a form", "400 INVALID_PARAMETER", inForm({}, "&notes=a%00b")],
  ["a raw NUL byte in a form", "400 INVALID_PARAMETER", inForm({}, "&notes=a\0b")],
  ["a NUL byte in a parameter's name", "400 INVALID_PARAMETER", inForm({}, "&no%00tes=a")],
  ["\\u0000 in JSON", "400 INVALID_PARAMETER", inJson({ notes: "a\0b" })],
  ["a raw NUL byte in JSON", "400 INVALID_PARAMETER", inJson({}, "\0")],
  ["half a surrogate pair in JSON", "400 INVALID_PARAMETER", inJson({ notes: "a\ud800b" })],
  ["half a surrogate pair in a parameter's name", "400 INVALID_PARAMETER", inJson({ "no\udc00tes": "a" })],
  ["JSON that is nested too deeply", "400 INVALID_PARAMETER", (good) => nested(good, 33)],
  ["JSON nested deeper than a stack", "400 INVALID_PARAMETER", (good) => nested(good, 30_000)],
  ["a NUL byte in multipart", "400 INVALID_PARAMETER", inMultipart(field("notes", "a\0b"))],
  ["a parameter twice in a form", "400 INVALID_PARAMETER", inForm({}, "&product_id=1")],
  ["a parameter twice in JSON", "400 INVALID_PARAMETER", twiceInJson],
  ["a parameter twice in multipart", "400 INVALID_PARAMETER", inMultipart(field("product_id", "1"))],
  [
    "endpoint twice in the query",
    "404 UNKNOWN_ENDPOINT",
    (good) => ({ ...inForm({})(good), target: "license.register&endpoint=license.register" }),
  ],
  ["an array as a value", "400 INVALID_PARAMETER", inJson({ product_id: [1] })],
  ["a fraction as product_id", "400 INVALID_PARAMETER", inJson({ product_id: 1.5 })],
  ...["+1", "-1", "0", "01", "1e3", "0x1", "1.0", "2147483648", "9".repeat(40), "١"].map(
    (value): Row => [`product_id=${value.slice(0, 12)}`, "400 INVALID_PARAMETER", inForm({ product_id: value })],
  ),
  ...["1.2.3.4.5", "1.2.3", "::1", "::ffff:1.2.3.4", "0x7f.1", "0x7f.0.0.1", "2130706433", "01.2.3.4"].map(
    (value): Row => [`ip_address=${value}`, "400 INVALID_IP_ADDRESS", inForm({ ip_address: value })],
  ),
  ...["1.2.3.04", "1.2.3.256", "1.2.3.4/32", "1.2.3.4:80", "١.2.3.4"].map(
    (value): Row => [`ip_address=${value}`, "400 INVALID_IP_ADDRESS", inForm({ ip_address: value })],
  ),
  ["notes of 1,001 characters", "400 INVALID_PARAMETER", inForm({ notes: "n".repeat(1001) })],
  [
    "broken UTF-8",
    "400 INVALID_PARAMETER",
    (good) => ({ headers: FORM, body: Buffer.from(`${form(good)}&notes=\xff\xfe`, "latin1") }),
  ],
  ["an empty idempotency key", "400 INVALID_PARAMETER", withKey("")],
  ["an idempotency key of 256 characters", "400 INVALID_PARAMETER", withKey("k".repeat(256))],
  ["an idempotency key beyond ASCII", "400 INVALID_PARAMETER", withKey("schlüssel")],
];

for (const [name, verdict, request] of rows) {
  test(`${name} is ${verdict}, and leaves no trace (contract 1.7, 1.8)`, async ({ reseller }) => {
    const { product_id, cycle_id } = await reseller.newProduct();
    const sent = request({ product_id, cycle_id, ip_address: reseller.newAddress() });
    const { target = "license.register", method = "POST", ...rest } = sent;
    const before = await readTraces(reseller.resellerId);
    const answer = await reseller.dispatch.send({ method, target: `/api/v1/?endpoint=${target}`, ...rest });
    expect(verdictOf(answer)).toBe(verdict);
    expect(await readTraces(reseller.resellerId)).toEqual(before);
  });
}

test("wrong cores, and another reseller's ids, leave no trace with either (contract 1.12, 3.2)", async ({
  reseller,
  newReseller,
}) => {
  const owner = await newReseller();
  const license = await owner.newLicense({ product: { pricePerCore: 1n } });
  const { license_id, license_key } = license;
  const own = await reseller.newLicense({ product: { pricePerCore: 1n } });
  const traces = () => Promise.all([readTraces(owner.resellerId), readTraces(reseller.resellerId)]);
  const before = await traces();
  for (const [cores, code] of [
    [1e9, "CORE_CHANGE_FAILED"],
    [0, "CORE_CHANGE_FAILED"],
    [33, "CORE_CHANGE_FAILED"],
    ["2.0", "INVALID_PARAMETER"],
    ["٢", "INVALID_PARAMETER"],
  ] as const) {
    const answer = await reseller.dispatch.post("license.change_core", { license_id: own.license_id, cores });
    expect(`${cores} ${verdictOf(answer)}`).toBe(`${cores} 400 ${code}`);
  }
  for (const [endpoint, fields] of [
    ["license.renew", {}],
    ["license.change_ip", { new_ip: reseller.newAddress() }],
    ["license.change_core", { cores: 2 }],
    ["license.suspend", {}],
    ["license.unsuspend", {}],
    ["license.terminate", {}],
    ["license.set_auto_renew", { auto_renew: true }],
    ["license.set_labels", { tags: "eu" }],
  ] as const) {
    const foreign = await reseller.dispatch.post(endpoint, { license_id, ...fields });
    const missing = await reseller.dispatch.post(endpoint, { license_id: 2_147_483_647, ...fields });
    expect([foreign.status, foreign.text]).toEqual([missing.status, missing.text]);
  }
  await reseller.path.post("/license/update", { license_key, hostname: "stolen.example" });
  expect(await traces()).toEqual(before);
  expect((await owner.path.get("/license/status", { license_key })).body.hostname).toBe("");
});

test("a query with a NUL byte or a name twice is 400 on both interfaces (contract 1.7)", async ({ reseller }) => {
  const { license_id, license_key } = await reseller.newLicense();
  for (const query of [
    `license_id=${license_id}&license_id=${license_id}`,
    `license_id=${license_id}%00`,
    `license_id=${license_id}&x=%00`,
    `license_id=${license_id}&x=1&x=1`,
  ]) {
    const info = await reseller.dispatch.send({ method: "GET", target: `/api/v1/?endpoint=license.info&${query}` });
    expect(`${query} ${verdictOf(info)}`).toBe(`${query} 400 INVALID_PARAMETER`);
    const status = await reseller.path.send({ method: "GET", target: `/api/v1/license/status?${query}` });
    expect(`${query} ${verdictOf(status)}`).toBe(`${query} 400 INVALID_REQUEST`);
  }
  for (const body of [
    `{"license_key":"${license_key}","license_key":"${license_key}"}`,
    `{"license_key":"${license_key}","a\\u0000":1}`,
    `{"license_key":"${license_key}\\u0000"}`,
  ]) {
    const verify = await reseller.path.send({
      method: "POST",
      target: "/api/v1/license/verify",
      headers: JSON_BODY,
      body,
    });
    expect(`${body} ${verdictOf(verify)}`).toBe(`${body} 400 INVALID_REQUEST`);
  }
});

test("text that would be SQL or a pattern is text (contract 1.7)", async ({ reseller }) => {
  const notes = "'; drop table licenses; -- %_\\ $1 {{x}} #{y}";
  const { license_id } = await reseller.newLicense({ notes });
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.notes).toBe(notes);
  expect((await reseller.path.get("/licenses", { q: notes })).body.licenses).toHaveLength(1);
  expect((await reseller.path.get("/licenses", { q: "';--" })).body.licenses).toEqual([]);
});
