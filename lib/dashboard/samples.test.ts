import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCurl, type SampleRequest, writeSamples } from "./samples.ts";

const read = (file: string) => readFileSync(file, "utf8");
const commands = ["path-interface", "dispatch-interface"].flatMap((page) =>
  [...read(`docs/contract/${page}.md`).matchAll(/^```sh\n(curl [\s\S]*?)```$/gm)].map(([, command = ""]) => command),
);
const { paths } = JSON.parse(read("public/api/openapi.json")) as { paths: Record<string, Record<string, unknown>> };

/** `POST /license/update`, `POST /dispatch/license.renew`. */
function operationOf({ method, path }: SampleRequest): string {
  const { pathname, searchParams } = new URL(path, "http://x");
  const endpoint = searchParams.get("endpoint");
  const target =
    endpoint === null
      ? pathname.replace(/(?<=\/)(?:whe|evt)_[^/]+|(?<=operations\/).+/, "{id}")
      : `/dispatch/${endpoint}`;
  return `${method} ${target}`;
}

test("every operation of the document has an example that is read as its request", () => {
  const read = commands.map((command) => operationOf(parseCurl(command) ?? expect.unreachable(command)));
  const documented = Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((operation) => !operation.endsWith(" /"));
  expect(read.toSorted()).toEqual(documented.toSorted());
});

test.each(["t=$(date); curl x", "curl https://elsewhere.example", "npm start"])("%s is no sample", (command) => {
  expect(parseCurl(command)).toBeNull();
});

describe("texts are literals of their language", () => {
  const request: SampleRequest = {
    method: "POST",
    path: "/x",
    headers: { "X-API-Key": "$KEY" },
    body: { kind: "json", fields: { text: `it's "quoted" \\`, on: true, none: null, list: ["a", 1] } },
  };
  const { typescript, php, python } = writeSamples(request);
  test("TypeScript", () => {
    expect(typescript).toContain('{ "X-API-Key": `$' + "{key}` }");
    expect(typescript).toContain(
      String.raw`{ "text": "it's \"quoted\" \\", "on": true, "none": null, "list": ["a", 1] }`,
    );
  });
  test("PHP", () => {
    expect(php).toContain('"X-API-Key: $key"');
    expect(php).toContain(
      String.raw`['text' => 'it\'s "quoted" \\', 'on' => true, 'none' => null, 'list' => ['a', 1]]`,
    );
  });
  test("Python", () => {
    expect(python).toContain('{"X-API-Key": f"{key}"}');
    expect(python).toContain(String.raw`{"text": "it's \"quoted\" \\", "on": True, "none": None, "list": ["a", 1]}`);
  });
});
