import openapi from "../../public/api/openapi.json" with { type: "json" };
import { send } from "../support/http.ts";
import { createDocumentCheck } from "../support/openapi.ts";
import { expect, test } from "../support/test.ts";

test("a response that differs from the document is reported, and an accepted request that it forbids", async ({
  reseller,
}) => {
  const changed = structuredClone(openapi);
  const data = changed.paths["/dispatch/balance"].get.responses[200].content["application/json"].schema.properties.data;
  data.properties.currency.type = "number";
  Object.assign(changed.components.headers["X-Request-Id"].schema, { maxLength: 1 });
  const [limit] = changed.paths["/dispatch/license.list"].get.parameters;
  Object.assign(limit?.schema ?? {}, { maximum: 1 });
  const { content } = changed.paths["/dispatch/license.register"].post.requestBody;
  Object.assign(content["application/x-www-form-urlencoded"].schema.properties.notes, { maxLength: 1 });
  Object.assign(content["application/json"].schema, { required: ["external_id"] });

  const findViolations = createDocumentCheck(changed);
  const ask = async (target: string, type = "", body?: string) => {
    const headers = { "x-api-key": reseller.apiKey, ...(body === undefined ? {} : { "content-type": type }) };
    const request = {
      method: body === undefined ? "GET" : "POST",
      target: `/api/v1/?endpoint=${target}`,
      headers,
      body,
    };
    const answer = await send(reseller.baseUrl, request);
    return findViolations(request, answer);
  };
  const requestId = "response.header.X-Request-Id must NOT have more than 1 characters";
  expect(await ask("balance")).toEqual([requestId, "response.body.data.currency must be number"]);
  expect(await ask("license.list&limit=2")).toEqual(["request.query.limit must be <= 1", requestId]);
  expect(await ask("license.list&limit=1")).toEqual([requestId]);
  expect(await ask("license.list&limit=0"), "an error's request may be anything").toEqual([requestId]);

  const { product_id, cycle_id } = await reseller.newProduct();
  const order = { product_id, cycle_id, ip_address: reseller.newAddress(), notes: "ab", dry_run: true };
  const form = new URLSearchParams(Object.entries(order).map(([name, value]) => [name, String(value)])).toString();
  expect(await ask("license.register", "application/x-www-form-urlencoded", form)).toEqual([
    "request.body.notes must NOT have more than 1 characters",
    requestId,
  ]);
  expect(await ask("license.register", "application/json", JSON.stringify(order))).toEqual([
    "request.body must have required property 'external_id'",
    requestId,
  ]);
});
