import type { Command } from "commander";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runHere } from "#tests/support/command-line.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { createProgram } from "./program.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

function run(args: readonly string[]) {
  vi.stubEnv("ENCRYPTION_KEY", Buffer.alloc(32).toString("base64"));
  return runHere(args, { DATA_DIR: "/nonexistent", DATABASE_URL: world.url, API_KEY_PEPPER: PEPPER });
}

/** A command with one of its options or arguments that names something which exists. */
interface Selector {
  readonly path: string;
  readonly command: Command;
  /** Null: the command's argument. */
  readonly flag: string | null;
  readonly isNumber: boolean;
}

/** Where a list goes on: no row has to have it. */
const cursors = ["--before"];
/** What names a thing without being called an id. */
const names: Readonly<Record<string, readonly string[]>> = {
  "provider update": ["--name"],
  "provider enable": ["--name"],
  "provider disable": ["--name"],
  "provider test": ["--name"],
  "provider import": ["--name"],
  "provider books": ["--provider"],
  "reconciliation compare": ["--provider"],
  "reconciliation list": ["--provider"],
  "user remove-factors": ["email"],
  "user disconnect-issuer": ["email"],
};
/** Other arguments, so that each command has something to do. */
const rest: Readonly<Record<string, readonly string[]>> = {
  "license auto-renew": ["--on"],
  "provider update": ["--no-signing-secret"],
  "reconciliation act": ["dismiss"],
  "reseller renewal-settings": ["--renew-ahead=3"],
};
const required: Readonly<Record<string, string>> = {
  "--amount": "1",
  "--name": "shop",
  "--note": "a note",
  "--reason": "a reason",
  "--scopes": "licenses:verify",
  "--from": "2027-01-01",
  "--to": "2027-02-01",
  "--percent": "10",
};

function selectorsOf(command: Command, path = ""): Selector[] {
  const named = names[path] ?? [];
  const options = command.options
    .filter(({ long, flags }) => named.includes(long ?? "") || (/<id>/.test(flags) && !cursors.includes(long ?? "")))
    .map(({ long, parseArg }) => ({ path, command, flag: long ?? "", isNumber: parseArg !== undefined }));
  const args = command.registeredArguments
    .filter((argument) => named.includes(argument.name()))
    .map(() => ({ path, command, flag: null, isNumber: false }));
  const below = command.commands.flatMap((child) => selectorsOf(child, `${path} ${child.name()}`.trim()));
  return [...options, ...args, ...below];
}

const selectors = selectorsOf(createProgram()).map((selector) => ({
  ...selector,
  title: `${selector.path} ${selector.flag ?? "…"}`,
}));

async function lineOf({ path, command, flag }: Selector, id: string): Promise<string[]> {
  const reseller = String((await world.reseller()).id);
  const others = command.options
    .filter(({ mandatory, long }) => mandatory && long !== flag)
    .map(({ long }) => `${long}=${long === "--reseller" ? reseller : required[long ?? ""]}`);
  return [...path.split(" "), ...others, ...(rest[path] ?? []), ...(flag === null ? [id] : [`${flag}=${id}`])];
}

test("every name that a command takes is tried", () => {
  expect(selectors.map(({ path }) => path)).toEqual(expect.arrayContaining(Object.keys(names)));
  expect(selectors.length).toBeGreaterThan(20);
});

test.each(selectors)("$title says clearly that an unknown one does not exist", async (selector) => {
  const { code, stdout, stderr } = await run(await lineOf(selector, selector.isNumber ? "2000000000" : "nowhere"));
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(
    /^(There is no such (reseller|API key|operation|license|provider|case|user)|The reseller has no such license)\.\n$/,
  );
});

test.each(selectors.filter(({ isNumber }) => isNumber))(
  "$title says what a malformed one must be",
  async (selector) => {
    for (const malformed of ["abc", "0", "-1", "1.5", "1e3", "99999999999", "", "lic_12"]) {
      const { code, stdout, stderr } = await run(await lineOf(selector, malformed));
      expect({ malformed, code, stdout }).toEqual({ malformed, code: 2, stdout: "" });
      expect(stderr).toContain(`option '${selector.flag} <id>' argument '${malformed}' is invalid. It must be a whole`);
    }
  },
);

test("a key is not bound to another reseller's license, as if it did not exist", async () => {
  const { licenseId } = await (await world.reseller()).register();
  const create = selectors.find(({ title }) => title === "api-key create --license");
  if (!create) throw new Error("there is no such command");
  const unknown = await run(await lineOf(create, "2000000000"));
  expect(await run(await lineOf(create, String(licenseId)))).toEqual(unknown);
  expect(unknown).toEqual({ code: 1, stdout: "", stderr: "The reseller has no such license.\n" });
});

test("no command takes a secret as an argument: it is in a file, or made here", () => {
  const optionsOf = (command: Command): readonly string[] => [
    ...command.options.filter(({ required, optional }) => required || optional).map(({ flags }) => flags),
    ...command.registeredArguments.map((argument) => argument.name()),
    ...command.commands.flatMap(optionsOf),
  ];
  const secrets = optionsOf(createProgram()).filter((name) => /key|secret|password|passphrase|token/i.test(name));
  expect(new Set(secrets.filter((name) => !/^--[a-z-]+-file <file>$/.test(name)))).toEqual(new Set());
  expect(secrets.length).toBeGreaterThan(4);
});
