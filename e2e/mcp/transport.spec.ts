import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import type { Answer } from "../support/http.ts";
import { connectMcp, postMcp, rpc, toolsOf } from "../support/mcp.ts";
import { expect, test } from "../support/test.ts";

/** The status and the code of an error outside of tools. */
function verdict({ status, text }: Answer): string {
  const { error } = text === "" ? {} : JSON.parse(text);
  return `${status} ${error?.data?.code ?? error?.code ?? "OK"}`;
}

const MODERN = "2026-07-28";

test("without a valid key: 401 with WWW-Authenticate, and a JSON-RPC error (contract 1.2, 1.13)", async ({
  reseller,
}) => {
  for (const [key, code] of [
    [null, "MISSING_API_KEY"],
    [`${reseller.apiKey.slice(0, -1)}!`, "INVALID_API_KEY"],
  ] as const) {
    const answer = await postMcp(reseller, rpc("tools/list"), { key });
    expect(verdict(answer)).toBe(`401 ${code}`);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(answer.body).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32_000 } });
  }
  const { apiKey: signed } = await reseller.newKey({ signing: "required" });
  expect(verdict(await postMcp(reseller, rpc("tools/list"), { key: signed }))).toBe("401 INVALID_API_KEY");
  const { apiKey: elsewhere } = await reseller.newKey({ cidrs: ["198.51.100.0/24"] });
  expect(verdict(await postMcp(reseller, rpc("tools/list"), { key: elsewhere }))).toBe("403 NO_PERMISSION");
  await expect(connectMcp(reseller, { key: "nonsense" })).rejects.toThrow(/401/);
});

test("a request counts against the limit of its key (contract 1.5)", async ({ newReseller }) => {
  const reseller = await newReseller({ rateLimit: 2 });
  const answers = [];
  for (let sent = 0; sent < 3; sent++) answers.push(await postMcp(reseller, rpc("tools/list")));
  expect(answers.map(verdict)).toEqual(["200 OK", "200 OK", "429 RATE_LIMITED"]);
  expect(Number(answers[2]?.headers["retry-after"])).toBeGreaterThan(0);
});

test("only POST is served, from no web page: there are no sessions and no streams", async ({ reseller }) => {
  for (const method of ["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD"]) {
    const answer = await reseller.path.send({ method, target: "/mcp" });
    expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, "POST"]);
  }
  for (const origin of ["https://evil.example", "null", reseller.baseUrl]) {
    const answer = await postMcp(reseller, rpc("tools/list"), { headers: { origin } });
    expect([origin, verdict(answer)]).toEqual([origin, "403 NO_PERMISSION"]);
  }
  const listening = await postMcp(reseller, rpc("subscriptions/listen", { notifications: { toolsListChanged: true } }));
  expect(verdict(listening)).toBe("404 UNKNOWN_ENDPOINT");
  const opened = await postMcp(
    reseller,
    rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "e2e", version: "1" } }),
  );
  expect(opened.body.result).toMatchObject({ protocolVersion: "2025-11-25", serverInfo: { name: "license-desk" } });
  expect(opened.headers["mcp-session-id"]).toBeUndefined();
});

test("what is no message of the protocol is refused with a JSON-RPC error, never a 5xx (contract 1.7)", async ({
  reseller,
}) => {
  const call = (name: unknown, args?: unknown) => rpc("tools/call", { name, arguments: args });
  for (const [body, expected] of [
    ["", "400 INVALID_PARAMETER"],
    ["{", "400 INVALID_PARAMETER"],
    ["[]", "400 INVALID_PARAMETER"],
    [[rpc("tools/list"), rpc("tools/list")], "400 INVALID_PARAMETER"],
    ["null", "400 INVALID_PARAMETER"],
    [Buffer.from([0x7b, 0xc3, 0x28, 0x7d]), "400 INVALID_PARAMETER"],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}', "400 INVALID_PARAMETER"],
    [`{"jsonrpc":"2.0","id":1,"method":"x","params":${'{"a":'.repeat(40)}1${"}".repeat(41)}`, "400 INVALID_PARAMETER"],
    ["{}", "400 -32600"],
    [{ ...rpc("tools/list"), jsonrpc: "1.0" }, "400 -32600"],
    [{ ...rpc("tools/list"), id: {} }, "400 -32600"],
    [{ ...rpc("tools/list"), method: 5 }, "400 -32600"],
    [rpc("no/such"), "200 -32601"],
    [rpc("resources/list"), "200 -32601"],
    [call(5), "200 -32602"],
    [call("no_such_tool"), "200 -32602"],
    [call("__proto__"), "200 -32602"],
    [call("get_license", []), "200 -32602"],
    [call("get_license", "x"), "200 -32602"],
    [" ".repeat(65_537), "413 PAYLOAD_TOO_LARGE"],
  ] as const) {
    const answer = await postMcp(reseller, body);
    expect([String(body).slice(0, 80), verdict(answer)]).toEqual([String(body).slice(0, 80), expected]);
    expect(answer.body.jsonrpc).toBe("2.0");
  }
  const encoded = await postMcp(reseller, rpc("tools/list"), { headers: { "content-encoding": "gzip" } });
  expect(verdict(encoded)).toBe("415 UNSUPPORTED_MEDIA_TYPE");
  const text = await postMcp(reseller, rpc("tools/list"), { headers: { "content-type": "text/plain" } });
  expect(verdict(text)).toBe("415 UNSUPPORTED_MEDIA_TYPE");
  const unknown = await postMcp(reseller, rpc("tools/list"), { headers: { "mcp-protocol-version": "1999-01-01" } });
  expect(unknown.status).toBe(400);
  const mixed = await postMcp(reseller, rpc("tools/list"), { headers: { "mcp-protocol-version": MODERN } });
  expect(mixed.status).toBe(400);
  for (const message of [
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, result: {} },
  ]) {
    expect(await postMcp(reseller, message)).toMatchObject({ status: 202, text: "" });
  }
});

test("arguments of the wrong type, or with text that no database can store, are errors of the tool (contract 1.7, 1.8)", async ({
  reseller,
}) => {
  const tool = await toolsOf(reseller);
  for (const args of [
    { license_id: 1.5 },
    { license_id: -1 },
    { license_id: {} },
    { license_id: [1] },
    { license_id: 1e300 },
    { license_key: "\u0000" },
    { license_key: "a\ud800" },
    { license_key: 5 },
    { "\u0000": 1 },
    { constructor: 1 },
  ]) {
    const { verdict, text } = await tool("get_license", args);
    expect([args, verdict]).toEqual([args, "INVALID_PARAMETER"]);
    expect(text).not.toContain("\u0000");
  }
  const proto =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_license","arguments":{"__proto__":{}}}}';
  expect((await postMcp(reseller, proto)).body).toMatchObject({ result: { isError: true } });
});

test("the log of a key names the tool and how it went (contract 1.17)", async ({ reseller }) => {
  const tool = await toolsOf(reseller);
  await tool("get_balance");
  await tool("get_license", { license_id: 2_147_483_647 });
  const logged = () =>
    getRuntime().db.query(
      sql<{ operation: string; status: number }>(
        "select operation, status from api_requests where api_key_id = $1 order by started_at",
      ),
      [reseller.apiKeyId],
    );
  await expect
    .poll(async () => (await logged()).map(({ operation, status }) => `${operation} ${status}`))
    .toEqual(expect.arrayContaining(["mcp 200", "mcp.get_balance 200", "mcp.get_license 404"]));
});
