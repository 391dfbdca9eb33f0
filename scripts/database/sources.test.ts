import { beforeAll, expect, inject, test } from "vitest";
import { sqlState } from "#lib/db/connection/errors.ts";
import { buildFromSources } from "./build.ts";
import { withScratchDatabase } from "./scratch.ts";
import { baselineScript, type DatabaseSources, readSources } from "./sources.ts";

let sources: DatabaseSources;

beforeAll(async () => {
  sources = await readSources(inject("templateDatabaseUrl"));
});

test("the same sources give the same baseline, byte for byte", async () => {
  expect(baselineScript(await readSources(inject("templateDatabaseUrl")))).toBe(baselineScript(sources));
});

test("the baseline repeats no comment of its sources outside of functions", () => {
  const [, ...lines] = baselineScript(sources).split("\n");
  expect(lines.filter((line) => line.startsWith("--"))).toEqual([]);
});

test("every SQL function starts with a comment that names the errors it raises", () => {
  for (const [name, script] of sources.functions) {
    const [header = "", body = ""] = script.split(`create or replace function ${name}(`);
    expect(header, name).toMatch(/^(-- .+\n)*-- Raises .+\n(-- .+\n)*$/);
    for (const [, code = ""] of body.matchAll(/errcode = '(\w{5})'/g)) expect(header, name).toContain(code);
  }
});

test("the SQLSTATEs of class LD in SQL are exactly those in lib/db/connection/errors.ts", () => {
  const raised = [...sources.functions.values()].flatMap((script) =>
    [...script.matchAll(/errcode = '(LD\w{3})'/g)].map(([, code]) => code),
  );
  const named = Object.values(sqlState).filter((code) => code.startsWith("LD"));
  expect([...new Set(raised)].sort()).toEqual([...named].sort());
});

test.each([
  ["lock_wallets", /^prisma\/sql\/functions\/\w+\.sql calls lock_wallets, which does not exist\.$/],
  ["license_facts", /\/emit_license_event\.sql: function license_facts\(.*\) does not exist/],
])("a function that another one calls cannot be removed: %s", async (name, message) => {
  const functions = new Map([...sources.functions].filter(([other]) => other !== name));
  const build = (url: string) => buildFromSources(url, { ...sources, functions });
  await expect(withScratchDatabase(inject("templateDatabaseUrl"), build)).rejects.toThrow(message);
});
