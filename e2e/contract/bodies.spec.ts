import { verdictOf } from "../support/http.ts";
import { undocumented } from "../support/openapi.ts";
import { expect, test } from "../support/test.ts";
import type { Reseller } from "../support/world.ts";

const MAX_BYTES = 64 * 1024;
const FORM = "application/x-www-form-urlencoded";

const toPath = (reseller: Reseller, body: string | Uint8Array, type?: string, target = "/license/verify") =>
  reseller.path.send({
    method: "POST",
    target: `/api/v1${target}`,
    ...(type === undefined ? {} : { headers: { "content-type": type } }),
    body,
  });

const toDispatch = (reseller: Reseller, body: string | Uint8Array, type?: string, endpoint = "license.suspend") =>
  reseller.dispatch.send({
    method: "POST",
    target: `/api/v1/?endpoint=${endpoint}`,
    ...(type === undefined ? {} : { headers: { "content-type": type } }),
    body,
  });

function multipart(fields: readonly (readonly [string, string, string?])[]): [string, string] {
  const boundary = "----boundary7";
  const parts = fields.map(
    ([name, value, file]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file ? `; filename="${file}"` : ""}\r\n\r\n${value}\r\n`,
  );
  return [`${parts.join("")}--${boundary}--\r\n`, `multipart/form-data; boundary=${boundary}`];
}

test(
  "the dispatch interface takes form, multipart and JSON alike (contract 1.7)",
  undocumented,
  async ({ reseller }) => {
    const { license_id } = await reseller.newLicense();
    const [body, type] = multipart([
      ["license_id", String(license_id)],
      ["reason", "line one\nline two"],
    ]);
    for (const [sent, contentType] of [
      [`license_id=${license_id}&reason=a+b%26c`, FORM],
      [`license_id=${license_id}`, `${FORM.toUpperCase()}; charset=UTF-8`],
      [body, type],
      [JSON.stringify({ license_id }), "application/json"],
      [JSON.stringify({ license_id: String(license_id) }), "application/json; charset=utf-8"],
    ] as const) {
      const answer = await toDispatch(reseller, sent, contentType);
      expect([answer.status, answer.body.data?.license_id]).toEqual([200, license_id]);
    }
  },
);

test("what is sent arrives unchanged: white space, signs, Unicode (contract 1.7)", async ({ reseller }) => {
  const notes = " a+b & c=d % ä ☂ 😀 \"quoted\" 'x' <b>\n";
  const { license_id } = await reseller.newLicense({ notes });
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.notes).toBe(notes);
});

test("any other type is 415 UNSUPPORTED_MEDIA_TYPE; the path interface takes JSON alone (contract 1.7)", async ({
  reseller,
}) => {
  for (const type of ["text/plain", "application/xml", "application/jsonx", "text/json", "", "json"]) {
    expect(`${type} ${verdictOf(await toPath(reseller, "{}", type))}`).toBe(`${type} 415 UNSUPPORTED_MEDIA_TYPE`);
    expect(`${type} ${verdictOf(await toDispatch(reseller, "{}", type))}`).toBe(`${type} 415 UNSUPPORTED_MEDIA_TYPE`);
  }
  expect(verdictOf(await toPath(reseller, "license_key=x", FORM))).toBe("415 UNSUPPORTED_MEDIA_TYPE");
  const [body, type] = multipart([["license_key", "x"]]);
  expect(verdictOf(await toPath(reseller, body, type))).toBe("415 UNSUPPORTED_MEDIA_TYPE");
  expect(verdictOf(await toPath(reseller, "{}"))).toBe("415 UNSUPPORTED_MEDIA_TYPE");
});

test("no body at all is a request without parameters (contract 3.2, 2.2)", async ({ reseller }) => {
  const dispatch = await reseller.dispatch.send({ method: "POST", target: "/api/v1/?endpoint=license.renew" });
  expect(verdictOf(dispatch)).toBe("400 MISSING_LICENSE_ID");
  const path = await reseller.path.send({ method: "POST", target: "/api/v1/license/verify" });
  expect(verdictOf(path)).toBe("400 INVALID_REQUEST");
});

test("unreadable JSON, and JSON that is no object, is 400 on both interfaces (contract 1.7)", async ({ reseller }) => {
  for (const body of [
    "",
    "{",
    "{]",
    "nonsense",
    "[]",
    "null",
    "5",
    '"x"',
    "{'a':1}",
    '{"a":1,}',
    '{"a":1}{}',
    "\ufeff\ufeff{}",
  ]) {
    expect(`${body} ${verdictOf(await toPath(reseller, body, "application/json"))}`).toBe(
      `${body} 400 INVALID_REQUEST`,
    );
    expect(`${body} ${verdictOf(await toDispatch(reseller, body, "application/json"))}`).toBe(
      `${body} 400 INVALID_PARAMETER`,
    );
  }
  const invalidUtf8 = Buffer.concat([Buffer.from('{"license_key":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  expect(verdictOf(await toPath(reseller, invalidUtf8, "application/json"))).toBe("400 INVALID_REQUEST");
  expect(verdictOf(await toDispatch(reseller, invalidUtf8, FORM))).toBe("400 INVALID_PARAMETER");
});

test("JSON nested deeply, and text that is no Unicode, is 400 on the path interface too, also under an idempotency key (contract 1.7)", async ({
  reseller,
}) => {
  const { license_key } = await reseller.newLicense();
  const key = JSON.stringify(license_key);
  for (const body of [
    `{"license_key":${key},"x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
    `{"license_key":${key},"hostname":"a\\ud800"}`,
    `{"license_key":${key},"\\udfff":1}`,
  ]) {
    for (const target of ["/license/verify", "/license/update", "/diagnostics"]) {
      const headers = { "content-type": "application/json", "idempotency-key": "deep" };
      const answer = await reseller.path.send({ method: "POST", target: `/api/v1${target}`, headers, body });
      expect(`${target} ${verdictOf(answer)}`).toBe(`${target} 400 INVALID_REQUEST`);
    }
  }
  const fits = `{"license_key":${key},"x":${"[".repeat(31)}${"]".repeat(31)}}`;
  expect((await toPath(reseller, fits, "application/json")).status).toBe(200);
});

test("a multipart body that is broken, or holds a file, is 400 (contract 1.7)", async ({ reseller }) => {
  const [file, type] = multipart([["license_id", "1", "license.txt"]]);
  const answer = await toDispatch(reseller, file, type);
  expect(verdictOf(answer)).toBe("400 INVALID_PARAMETER");
  expect(Object.keys(answer.body.details)).toEqual(["license_id"]);
  for (const broken of ["nonsense", "------boundary7\r\n", ""]) {
    expect(verdictOf(await toDispatch(reseller, broken, type))).toBe("400 INVALID_PARAMETER");
  }
  expect(verdictOf(await toDispatch(reseller, file, "multipart/form-data"))).toBe("400 INVALID_PARAMETER");
});

test("a value of the wrong type is 400 and named (contract 1.7)", async ({ reseller }) => {
  for (const value of [true, null, {}, [], [1], 1.5, -1, 1e10, { toString: "1" }]) {
    const answer = await toDispatch(reseller, JSON.stringify({ license_id: value }), "application/json");
    expect(`${JSON.stringify(value)} ${answer.status}`).toBe(`${JSON.stringify(value)} 400`);
    expect(Object.keys(answer.body.details)).toEqual(["license_id"]);
    const path = await toPath(reseller, JSON.stringify({ license_key: value }), "application/json");
    expect(verdictOf(path)).toBe("400 INVALID_REQUEST");
    expect(Object.keys(path.body.details)).toEqual(["license_key"]);
  }
});

test("64 KiB is the most: one byte more is 413, declared or chunked, on both interfaces (contract 1.7)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  const exactly = (text: string, size: number) => text + "x".repeat(size - text.length);
  const form = `license_id=${license_id}&ignored=`;
  expect((await toDispatch(reseller, exactly(form, MAX_BYTES), FORM)).status).toBe(200);
  expect(verdictOf(await toDispatch(reseller, exactly(form, MAX_BYTES + 1), FORM))).toBe("413 PAYLOAD_TOO_LARGE");
  const json = " ".repeat(MAX_BYTES - 1);
  expect(verdictOf(await toPath(reseller, `{${json}}`, "application/json"))).toBe("413 PAYLOAD_TOO_LARGE");
  const chunk = Buffer.alloc(16 * 1024, 0x20);
  for (const [client, target, type] of [
    [reseller.path, "/api/v1/license/verify", "application/json"],
    [reseller.dispatch, "/api/v1/?endpoint=license.suspend", FORM],
  ] as const) {
    const headers = { "content-type": type };
    const chunked = await client.send({ method: "POST", target, headers, body: Array(5).fill(chunk) });
    expect(verdictOf(chunked)).toBe("413 PAYLOAD_TOO_LARGE");
  }
});

test("a small chunked body is read like any other (contract 1.7)", async ({ reseller }) => {
  const { license_id } = await reseller.newLicense();
  const answer = await reseller.dispatch.send({
    method: "POST",
    target: "/api/v1/?endpoint=license.suspend",
    headers: { "content-type": FORM },
    body: [Buffer.from("license_"), Buffer.from(`id=${license_id}`)],
  });
  expect(answer.body.data.license_id).toBe(license_id);
});

test("the client sees 413 for 10 MB, and the server goes on (contract 1.7)", async ({ reseller }) => {
  const huge = Buffer.alloc(10 * 1024 * 1024, 0x61);
  expect(verdictOf(await toDispatch(reseller, huge, FORM))).toBe("413 PAYLOAD_TOO_LARGE");
  expect(verdictOf(await toPath(reseller, huge, "application/json"))).toBe("413 PAYLOAD_TOO_LARGE");
  expect((await reseller.dispatch.get("balance")).status).toBe(200);
});
