import { writeFileSync } from "node:fs";
import openapi from "../../public/api/openapi.json" with { type: "json" };
import { baseUrlFor } from "../support/environment.ts";
import { send } from "../support/http.ts";
import { startValidatingProxy, violationsOf } from "../support/prism.ts";
import { expect, test } from "../support/test.ts";

test("a response that differs from the document is reported, and an accepted request that it forbids", async ({
  reseller,
}, testInfo) => {
  const changed = structuredClone(openapi);
  const data = changed.paths["/dispatch/balance"].get.responses[200].content["application/json"].schema.properties.data;
  data.properties.currency.type = "number";
  const [limit] = changed.paths["/dispatch/license.list"].get.parameters;
  Object.assign(limit?.schema ?? {}, { maximum: 1 });
  const document = testInfo.outputPath("openapi.json");
  writeFileSync(document, JSON.stringify(changed));
  const proxy = await startValidatingProxy(baseUrlFor(testInfo.project.name), document);
  try {
    const headers = { "x-api-key": reseller.apiKey };
    const ask = async (target: string) => violationsOf(await send(proxy.url, { method: "GET", target, headers }));
    expect(await ask("/api/v1/?endpoint=balance")).toEqual([expect.stringContaining("response.body.data.currency")]);
    expect(await ask("/api/v1/?endpoint=license.list&limit=2")).toEqual([
      expect.stringContaining("request.query.limit"),
    ]);
    expect(await ask("/api/v1/?endpoint=license.list&limit=1")).toEqual([]);
  } finally {
    await proxy.stop();
  }
});
