import { METHODS, request } from "node:http";
import { expect, test } from "../support/test.ts";

const addresses = [
  ...["/sign-in", "/licenses", "/docs", "/nothing", "/licenses/export", "/audit/export", "/unsubscribe"],
  ...["/diagnostics/203.0.113.7", "/nothing/203.0.113.7"],
  ...["/api/auth/session", "/api/auth/csrf", "/api/auth/nothing"],
  ...["/agent.sh", "/install.sh", "/api/openapi.json", "/favicon.ico", "/_next/static/x.js"],
  ...["/_next/image", "/_next/data/x.json"],
  ...["/healthz", "/readyz", "/metrics"],
  ...["/mcp", "/api/v1/licenses", "/api/v1?endpoint=balance", "/api/v1/nothing"],
];

test("no address answers 5xx to any method that HTTP knows", async ({ apiUrl }) => {
  const { port, hostname } = new URL(apiUrl);
  const ask = (path: string, method: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const options = { port, hostname, path, method, headers, agent: false };
      const sent = request(options, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      });
      sent.on("error", reject).end(method === "POST" ? "[]" : undefined);
    });
  const plain = { "content-type": "text/plain" };
  const action = { ...plain, "next-action": "40".repeat(21) };
  const failed: string[] = [];
  for (const path of addresses) {
    for (const method of METHODS.filter((name) => name !== "CONNECT")) {
      for (const headers of method === "POST" ? [{}, plain, action] : [{}]) {
        const status = await ask(path, method, headers);
        if (status >= 500) failed.push(`${method} ${path}: ${status}`);
      }
    }
  }
  expect(failed).toEqual([]);
});
