import { exchange, type RawAnswer, readAnswer } from "#tests/support/raw-http.ts";
import { expect, test } from "../support/test.ts";

const HEADERS = [
  "X-Content-Type-Options",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Request-Id",
];
const long = "x".repeat(20_000);
let peers = 0;

/** From a peer of its own, so that no quota is reached. */
async function ask(apiUrl: string, sent: string): Promise<RawAnswer> {
  peers += 1;
  const peer = `127.77.${process.pid & 255}.${peers}`;
  return readAnswer(await exchange(Number(new URL(apiUrl).port), sent, peer));
}

const get = (target: string, headers = "") =>
  `GET ${target} HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n${headers}\r\n`;

function expectApiError(answer: RawAnswer, status: number, api: "path" | "dispatch"): void {
  expect(answer.status, answer.text).toBe(status);
  expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(HEADERS));
  expect(answer.headers).toMatchObject({ "Content-Type": "application/json", "X-Content-Type-Options": "nosniff" });
  expect(Number(answer.headers["X-RateLimit-Reset"])).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1000));
  expect(JSON.parse(answer.body)).toEqual({
    ...(api === "dispatch" ? { success: false } : {}),
    error: true,
    code: api === "path" ? "INVALID_REQUEST" : "INVALID_PARAMETER",
    message: expect.stringMatching(/^\S.*\.$/),
    details: {},
  });
}

for (const [what, status, api, sent] of [
  ["no HTTP", 400, "path", "hello\r\n\r\n"],
  ["the preface of HTTP/2", 400, "path", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["an unknown method", 400, "dispatch", "GIVE /api/v1?endpoint=balance HTTP/1.1\r\nHost: desk\r\n\r\n"],
  ["a header without a name", 400, "path", "GET /api/v1/licenses HTTP/1.1\r\nHost: desk\r\n: b\r\n\r\n"],
  ["no Host", 400, "path", "GET /api/v1/licenses HTTP/1.1\r\n\r\n"],
  ["no Host, for an operation", 400, "dispatch", "GET /api/v1/?endpoint=balance HTTP/1.1\r\n\r\n"],
  ["two Hosts", 400, "path", "GET /api/v1/licenses HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
  ["an invalid Host", 400, "dispatch", "GET /api/v1 HTTP/1.1\r\nHost: a b\r\n\r\n"],
  ["no path", 400, "path", "OPTIONS * HTTP/1.1\r\nHost: desk\r\n\r\n"],
  ["a tunnel", 400, "path", "CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n"],
  ["non-ASCII bytes in the target", 400, "path", get("/api/v1/licenses?q=ä")],
  ["headers of 20 kB", 431, "dispatch", get("/api/v1/?endpoint=balance", `X: ${long}\r\n`)],
  ["an unknown expectation", 417, "path", get("/api/v1/licenses", "Expect: miracle\r\n")],
  ["an unknown expectation, for an operation", 417, "dispatch", get("/api/v1", "Expect: miracle\r\n")],
] as const) {
  test(`${what} is ${status} in the error body of the ${api} interface, with all headers (contract 1.5)`, async ({
    apiUrl,
  }) => {
    expectApiError(await ask(apiUrl, sent), status, api);
  });
}

test("headers are written as documented, byte for byte, whatever the answer (contract 1.5)", async ({
  apiUrl,
  reseller,
}) => {
  const key = `Authorization: Bearer ${reseller.apiKey}\r\n`;
  for (const [status, request] of [
    [200, get("/api/v1/licenses?limit=1", key)],
    [401, get("/api/v1/licenses")],
    [404, get("/api/v1/nothing", key)],
    [405, get("/api/v1/license/verify", key)],
    [400, get("/api/v1/license/status?ip_address=nowhere", key)],
  ] as const) {
    const answer = await ask(apiUrl, request);
    expect(answer.status, answer.text).toBe(status);
    expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining([...HEADERS, "Content-Type", "Cache-Control"]));
    if (status === 405) expect(answer.headers.Allow).toBe("POST");
  }
});

test("an API path that names nothing is 404, however it is written: not 500 and no redirect (contract 1.1)", async ({
  apiUrl,
  reseller,
}) => {
  const keys = `Authorization: Bearer ${reseller.apiKey}\r\nX-API-Key: ${reseller.apiKey}\r\n`;
  for (const path of ["%zz", "%ff", "a%2", "operations/%ff", "events/%zz", "/licenses", "licenses//", "//", "%zz//x"]) {
    for (const query of ["", "?limit=1&q=a//b", "?endpoint=balance"]) {
      const answer = await ask(apiUrl, get(`/api/v1/${path}${query}`, keys));
      expect(answer.status, `${path}${query}: ${answer.text}`).toBe(404);
      expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(HEADERS));
      expect(answer.body).toContain('"error":true,"code":"NOT_FOUND"');
    }
  }
  expect((await ask(apiUrl, get("/api/v1/licenses?limit=1&q=a//b%2f", keys))).status).toBe(200);
});

test("an Upgrade header is ignored, also once a page has been served (contract 1.7)", async ({ apiUrl, reseller }) => {
  const key = `Authorization: Bearer ${reseller.apiKey}\r\nX-API-Key: ${reseller.apiKey}\r\n`;
  for (let view = 0; view < 2; view++) expect((await ask(apiUrl, get("/sign-in"))).status).toBe(200);
  for (const protocol of ["h2c", "websocket"]) {
    const upgrade = `${key}Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n`;
    const form = "license_id=1";
    for (const [status, request] of [
      [200, get("/api/v1/licenses?limit=1", upgrade)],
      [200, get("/api/v1/?endpoint=balance", upgrade)],
      [200, get("/sign-in", upgrade)],
      [307, get("/licenses", upgrade)],
      [
        404,
        `POST /api/v1/?endpoint=license.suspend HTTP/1.1\r\nHost: desk\r\n${upgrade}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
      ],
    ] as const) {
      const answer = await ask(apiUrl, request);
      expect(answer.status, `${protocol}: ${request.split("\r\n", 1)[0]}`).toBe(status);
    }
  }
});

test("headers that Next gives a meaning to have none for the API (contract 1.5)", async ({ apiUrl, reseller }) => {
  const headers = [
    ...["RSC: 1", "Next-Router-Prefetch: 1", "Next-Router-Segment-Prefetch: /_tree", "Next-Url: /licenses"],
    ...["Next-Router-State-Tree: x", `Next-Action: ${"40".repeat(21)}`, "Next-HMR-Refresh: 1", "X-Nextjs-Data: 1"],
  ];
  for (const header of [...headers, headers.join("\r\n")]) {
    for (const target of ["/api/v1/licenses?limit=1", "/api/v1/?endpoint=balance"]) {
      const keys = `X-API-Key: ${reseller.apiKey}\r\nAuthorization: Bearer ${reseller.apiKey}\r\n`;
      const { status, text } = await ask(apiUrl, get(target, `${keys}${header}\r\nConnection: close\r\n`));
      expect([status, text], header).toEqual([200, expect.stringContaining("application/json")]);
    }
  }
});

test("redirects stay on this site, whatever the address says", async ({ apiUrl }) => {
  const evil = [
    "//evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/%2e//evil.example",
    "///evil.example",
    "//evil.example/%2e%2e",
    "/licenses//evil.example",
    "//evil.example//",
    "/%09/evil.example",
    "/%5cevil.example",
  ];
  for (const target of [
    ...evil,
    ...evil.map((path) => `/sign-in?next=${encodeURIComponent(path)}`),
    ...evil.map((path) => `/api/auth/signin?callbackUrl=${encodeURIComponent(path)}`),
  ]) {
    const { status, headers } = await ask(apiUrl, get(target));
    const location = headers.Location ?? headers.location;
    if (location === undefined) continue;
    expect([301, 302, 303, 307, 308]).toContain(status);
    const origins = [new URL(apiUrl).origin, "http://desk"];
    expect(origins, `${target} → ${location}`).toContain(new URL(location, "http://desk/").origin);
  }
});
