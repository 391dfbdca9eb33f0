/** A server with an environment in which it cannot work: ours, and a stock Next server. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "@playwright/test";
import { schema } from "#lib/env.ts";
import { startServer } from "../support/own-server.ts";

const kindOf = (project: string) => (project === "api-next" ? "next" : "server");

/** What a server that does not start prints, without Next's own lines. */
async function refusal(project: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const logFile = join(mkdtempSync(join(tmpdir(), "license-desk-environment-")), "log");
  await expect(startServer(kindOf(project), { ...process.env, ...env }, { logFile })).rejects.toThrow("did not start");
  const lines = stripVTControlCharacters(readFileSync(logFile, "utf8")).split("\n");
  return lines.filter((line) => line !== "" && !/^\s{0,4}[▲✓-]\s/.test(line));
}

/** Values of which each variable with a format refuses at least one. */
const wrong = ["?", "a value that is too long for a name on a button, or to be anything else"];
const malformed = Object.entries(schema.shape).flatMap(([name, format]) => {
  const value = wrong.find((text) => !format.safeParse(text).success);
  return value === undefined ? [] : [[name, value] as const];
});

test("a server whose variables are malformed ends, with one line for each of them", async ({ browserName: _ }, {
  project,
}) => {
  expect(malformed.length).toBeGreaterThan(40);
  // A stock Next server has its port from its command line.
  const given = malformed.filter(([name]) => name !== "PORT" || project.name !== "api-next");
  const lines = await refusal(project.name, Object.fromEntries(given));
  const named = lines.map((line) => /^([A-Z_]+) (?:must|cannot) .*\.$/.exec(line)?.[1] ?? line);
  expect(named.toSorted()).toEqual(given.map(([name]) => name).toSorted());
});

test("a stock Next server ends without the variables that our own server completes", async ({ browserName: _ }, {
  project,
}) => {
  test.skip(project.name !== "api-next", "Our own server completes them.");
  const completed = ["DATABASE_URL", "API_KEY_PEPPER", "NEXTAUTH_SECRET", "ENCRYPTION_KEY"];
  const lines = await refusal(project.name, Object.fromEntries(completed.map((name) => [name, ""])));
  expect(lines).toEqual(completed.map((name) => `${name} is not set: start with \`npm start\`, or set it.`));
});
