import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";

const operations = [
  ["license.register", "POST"],
  ["license.renew", "POST"],
  ["license.change_ip", "POST"],
  ["license.change_core", "POST"],
  ["license.suspend", "POST"],
  ["license.unsuspend", "POST"],
  ["license.terminate", "POST"],
  ["license.set_auto_renew", "POST"],
  ["license.set_labels", "POST"],
  ["license.info", "GET"],
  ["license.list", "GET"],
  ["bundle.register", "POST"],
  ["bundle.renew", "POST"],
  ["bundle.change_ip", "POST"],
  ["bundle.info", "GET"],
  ["me", "GET"],
  ["balance", "GET"],
  ["products", "GET"],
  ["bundles", "GET"],
] as const;

const paths = [
  ["/license/status", ["GET"]],
  ["/license/verify", ["POST"]],
  ["/license/update", ["POST"]],
  ["/license/auto-renew", ["POST"]],
  ["/license/terminate", ["POST"]],
  ["/licenses", ["GET"]],
  ["/me", ["GET"]],
  ["/diagnostics", ["GET", "POST"]],
  ["/webhook-endpoints", ["GET", "POST"]],
  ["/webhook-endpoints/whe_1", ["GET", "PATCH", "DELETE"]],
  ["/webhook-endpoints/whe_1/rotate-secret", ["POST"]],
  ["/webhook-endpoints/whe_1/test", ["POST"]],
  ["/webhook-endpoints/whe_1/verify", ["POST"]],
  ["/events", ["GET"]],
  ["/events/evt_1", ["GET"]],
  ["/events/evt_1/resend", ["POST"]],
] as const;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

for (const base of ["/api/v1/", "/api/v1"]) {
  test(`the dispatch interface answers at ${base}?endpoint=… directly, GET and POST, never by a redirect (contract 1.1)`, async ({
    reseller,
  }) => {
    const read = await reseller.dispatch.send({ method: "GET", target: `${base}?endpoint=balance` });
    expect([read.status, read.body.data.balance]).toEqual([200, 1000]);
    const { license_id } = await reseller.newLicense();
    const written = await reseller.dispatch.send({
      method: "POST",
      target: `${base}?endpoint=license.suspend`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `license_id=${license_id}`,
    });
    expect([written.status, written.body.data.status]).toEqual([200, "suspended"]);
  });
}

for (const [endpoint, method] of operations) {
  test(`${endpoint} is ${method} alone: any other method is 405 with Allow (contract 1.4)`, async ({ reseller }) => {
    for (const other of methods.filter((name) => name !== method)) {
      const answer = await reseller.dispatch.send({ method: other, target: `/api/v1/?endpoint=${endpoint}` });
      expect(`${other} ${verdictOf(answer)}`).toBe(`${other} 405 METHOD_NOT_ALLOWED`);
      expect(answer.headers.allow).toBe(method === "GET" ? "GET, HEAD" : "POST");
      expect(answer.body).toMatchObject({ success: false, error: true, details: {} });
    }
  });
}

for (const [path, allowed] of paths) {
  test(`${path} is ${allowed.join(" and ")} alone: any other method is 405 with Allow (contract 1.4)`, async ({
    reseller,
  }) => {
    for (const other of methods.filter((name) => !(allowed as readonly string[]).includes(name))) {
      const answer = await reseller.path.send({ method: other, target: `/api/v1${path}` });
      expect(`${other} ${verdictOf(answer)}`).toBe(`${other} 405 METHOD_NOT_ALLOWED`);
      expect(answer.headers.allow).toBe(
        allowed.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", "),
      );
      expect(answer.body).toEqual({
        error: true,
        code: "METHOD_NOT_ALLOWED",
        message: expect.any(String),
        details: {},
      });
    }
  });
}

test("methods that hardly anybody sends are 405 like the others, and 404 where there is nothing (contract 1.4)", async ({
  reseller,
}, { project }) => {
  test.skip(project.name === "api-next", "Next lets a route answer seven methods");
  for (const method of ["TRACE", "PROPFIND", "LINK", "PURGE"]) {
    const path = await reseller.path.send({ method, target: "/api/v1/licenses" });
    expect([method, verdictOf(path), path.headers.allow]).toEqual([method, "405 METHOD_NOT_ALLOWED", "GET, HEAD"]);
    const dispatch = await reseller.dispatch.send({ method, target: "/api/v1/?endpoint=license.renew" });
    expect([method, verdictOf(dispatch), dispatch.headers.allow]).toEqual([method, "405 METHOD_NOT_ALLOWED", "POST"]);
    const nothing = await reseller.path.send({ method, target: "/api/v1/nothing" });
    expect([method, verdictOf(nothing)]).toEqual([method, "404 NOT_FOUND"]);
  }
});

test("HEAD follows GET: status and headers, and no body (contract 1.4)", async ({ reseller }) => {
  for (const path of ["/licenses", "/licenses?limit=5", "/diagnostics"]) {
    const answer = await reseller.path.send({ method: "HEAD", target: `/api/v1${path}` });
    expect([answer.status, answer.text]).toEqual([200, ""]);
  }
  const read = await reseller.dispatch.send({ method: "HEAD", target: "/api/v1/?endpoint=balance" });
  expect([read.status, read.text]).toEqual([200, ""]);
  const write = await reseller.dispatch.send({ method: "HEAD", target: "/api/v1/?endpoint=license.renew" });
  expect([write.status, write.headers.allow]).toEqual([405, "POST"]);
  const missing = await reseller.path.send({ method: "HEAD", target: "/api/v1/license/status" });
  expect([missing.status, missing.text]).toEqual([404, ""]);
});

test("an unknown path is NOT_FOUND in the path interface's error body, whatever the method (contract 1.4)", async ({
  reseller,
}) => {
  for (const path of [
    "/license",
    "/license/",
    "/licenses/",
    "/license/Status",
    "/license/status/5",
    "/license/destroy",
    "/licenses.json",
    "/%6cicenses",
    "/constructor",
    "/__proto__",
    "/license%2fstatus",
  ]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await reseller.path.send({ method, target: `/api/v1${path}` });
      expect(`${method} ${path} ${verdictOf(answer)}`).toBe(`${method} ${path} 404 NOT_FOUND`);
      expect(answer.body).toEqual({ error: true, code: "NOT_FOUND", message: expect.any(String), details: {} });
    }
  }
});

test("dots that lead out of /api/v1 lead to nothing of the API (contract 1.4)", async ({ reseller }, { project }) => {
  test.skip(project.name === "api-next", "there Next answers what is not below /api/v1");
  for (const target of ["/api/v1/../v9/licenses", "/api/v1/%2e%2e/xy/licenses", "/api/v1/./../v0/license/status"]) {
    const answer = await reseller.path.send({ method: "GET", target });
    expect(`${target} ${verdictOf(answer)}`).toBe(`${target} 404 NOT_FOUND`);
  }
});

test("an endpoint value that names no operation is UNKNOWN_ENDPOINT in the dispatch body, whatever the method (contract 1.4, 3.1)", async ({
  reseller,
}) => {
  for (const query of [
    "",
    "?",
    "?endpoint=",
    "?endpoint=license.destroy",
    "?endpoint=License.Info",
    "?endpoint=license.info%00",
    "?endpoint=constructor",
    "?endpoint=balance&endpoint=products",
    "?Endpoint=balance",
    "?endpoint=../licenses",
  ]) {
    for (const method of ["GET", "POST", "PUT"]) {
      const answer = await reseller.dispatch.send({ method, target: `/api/v1/${query}` });
      expect(`${method} ${query} ${verdictOf(answer)}`).toBe(`${method} ${query} 404 UNKNOWN_ENDPOINT`);
      expect(answer.body).toEqual({
        success: false,
        error: true,
        code: "UNKNOWN_ENDPOINT",
        message: expect.any(String),
        details: { endpoint: expect.stringContaining("license.info") },
      });
    }
  }
});

test("endpoint is taken from the query alone, parameters of a POST from the body alone (contract 1.7)", async ({
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const fromBody = await reseller.dispatch.send({
    method: "POST",
    target: "/api/v1/",
    headers: form,
    body: `endpoint=license.suspend&license_id=${license_id}`,
  });
  expect(verdictOf(fromBody)).toBe("404 UNKNOWN_ENDPOINT");
  const fromQuery = await reseller.dispatch.send({
    method: "POST",
    target: `/api/v1/?endpoint=license.suspend&license_id=${license_id}`,
    headers: form,
    body: "reason=x",
  });
  expect(verdictOf(fromQuery)).toBe("400 MISSING_LICENSE_ID");
  const bodyWins = await reseller.dispatch.send({
    method: "POST",
    target: "/api/v1/?endpoint=license.suspend&license_id=2147483647",
    headers: form,
    body: `license_id=${license_id}`,
  });
  expect(bodyWins.body.data.license_id).toBe(license_id);
});
