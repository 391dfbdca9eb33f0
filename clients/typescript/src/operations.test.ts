import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LicenseDesk } from "./index.ts";

type Paths = Record<string, Record<string, { readonly operationId: string }>>;

type Method = (params: object) => Promise<unknown> | AsyncIterable<unknown>;

const file = join(import.meta.dirname, "../../../public/api/openapi.json");
const { paths } = JSON.parse(readFileSync(file, "utf8")) as { paths: Paths };
/** What is sent for an operation of the document. */
const documented = Object.entries(paths)
  // The address of the operations below /dispatch.
  .filter(([path]) => path !== "/")
  .flatMap(([path, byMethod]) =>
    Object.keys(byMethod).map((method) => {
      const address = path.replace("{id}", "x_1").replace("/dispatch/", "/?endpoint=");
      return `${method.toUpperCase()} /api/v1${address}`;
    }),
  );

test("the README names every method", () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const desk = new LicenseDesk({ baseUrl: "https://desk.example.com", apiKey: "lk_live_x" });
  for (const [group, methods] of Object.entries(desk)) {
    const names = typeof methods === "function" ? [`${group}()`] : Object.keys(methods);
    const rows = readme.split("\n").filter((line) => /^\| `/.test(line));
    const row = rows.find((line) =>
      line.split("|")[1]?.includes(`\`${typeof methods === "function" ? "desk" : group}\``),
    );
    expect(names.filter((name) => !row?.includes(`\`${name}\``))).toEqual([]);
  }
});

test("every operation of the OpenAPI document has a method", async () => {
  const called = new Set<string>();
  const desk = new LicenseDesk({
    baseUrl: "https://desk.example.com",
    apiKey: "lk_live_x",
    fetch: async (url, init) => {
      const { pathname, searchParams } = new URL(String(url));
      const endpoint = searchParams.get("endpoint");
      called.add(`${init?.method} ${pathname}${endpoint === null ? "" : `?endpoint=${endpoint}`}`);
      return Response.json({ data: { licenses: [] }, events: [] });
    },
  });
  const methodsOf = (group: unknown): Method[] =>
    typeof group === "function" ? [group as Method] : Object.values(group as object).flatMap(methodsOf);
  for (const method of methodsOf(desk)) {
    const result = method({ id: "x_1" });
    if (Symbol.asyncIterator in result) for await (const _ of result);
    else await result;
  }
  expect(documented.length).toBeGreaterThan(30);
  expect([...called].toSorted()).toEqual(documented.toSorted());
});
