/** Every operation and tool with a key of each single scope, compared with docs/contract (contract 1.14). */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Scope, scopes } from "#lib/domain/scopes.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { sql } from "#tests/sql.ts";
import { type ApiAnswer, type ApiCaller, type ApiWorld, callerWith, newApiWorld } from "#tests/support/api.ts";
import { codesIn, readSections } from "#tests/support/contract-documents.ts";
import { type OperationCall, prepareOperations } from "#tests/support/every-operation.ts";
import { ENCRYPTION_KEY } from "#tests/support/webhooks.ts";
import { operations } from "./dispatch-api/interface.ts";
import { pathTargets } from "./path-api/interface.ts";

vi.stubEnv("ENCRYPTION_KEY", ENCRYPTION_KEY);

/** A key of each scope, and one that has none. */
const holders = ["none", ...scopes] as const;
type Holder = (typeof holders)[number];

let world: ApiWorld;
let calls: Readonly<Record<string, OperationCall>>;
let toolCalls: Readonly<Record<string, object>>;
const keys = new Map<Holder, ApiCaller>();
beforeAll(async () => {
  world = await newApiWorld();
  const user = await world.user({ funds: "10000" });
  calls = await prepareOperations(world, user);
  for (const name of holders) {
    const granted: readonly Scope[] = name === "none" ? ["catalog:read"] : [name];
    const input = { resellerId: user.id, name, scopes: granted, rateLimitPerMinute: 100_000 };
    keys.set(name, callerWith((await createResellerApiKey(world.operator, input)).apiKey));
  }
  await world.db.query(sql("update api_keys set scopes = '{}' where name = 'none'"), []);
  const { licenseId: license_id, licenseKey: license_key } = await user.register({ type: "web_server" });
  const { productId: product_id, cycleId: cycle_id } = await world.offer(user.id, "control_panel");
  toolCalls = {
    find_licenses: {},
    get_license: { license_id },
    quote_renewal: { license_id },
    explain_verification: { license_key },
    list_products: {},
    list_bundles: {},
    get_balance: {},
    quote_registration: { product_id, cycle_id, ip_address: world.freshIp() },
    quote_core_change: { license_id, cores: 2 },
    renew_license: { license_id },
  };
});
afterAll(() => world.close());

const titles = new Map([
  ...operations.map(({ name }) => [name, name] as const),
  ...Object.entries(pathTargets).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { name }]) => [`${method} ${path}`, name] as const),
  ),
]);

/** Operation → the scopes that its page names; null: any valid key. */
const documented = new Map(
  (["path-interface", "dispatch-interface"] as const)
    .flatMap((page) => readSections(page))
    .flatMap(({ title, text }) => {
      const [, named] = /^Scope: ([^.\n]+)/m.exec(text) ?? [];
      if (named === undefined) return [];
      const needed = named.startsWith("none") ? null : codesIn(named).filter((code) => code.includes(":"));
      return [[titles.get(title) ?? expect.unreachable(title), needed] as const];
    }),
);
/** The tools' page lists one scope each. */
const documentedTools = new Map(
  [...readFileSync("docs/mcp.md", "utf8").matchAll(/^\| `(\w+)` \| `([\w:]+)` \|/gm)].map(
    ([, name = "", scope = ""]) => [name, [scope]] as const,
  ),
);

/** `licenses:read` implies `licenses:verify`. */
const allows = (holder: Holder, needed: readonly string[] | null) =>
  needed === null || needed.includes(holder) || (holder === "licenses:read" && needed.includes("licenses:verify"));

const verdictOf = (needed: readonly string[] | null) =>
  Object.fromEntries(holders.map((holder) => [holder, allows(holder, needed) ? "done" : "refused"]));

/** What each key is answered, one after the other. */
async function ask(call: (by: ApiCaller) => Promise<string>): Promise<Record<string, string>> {
  const answered: Record<string, string> = {};
  for (const holder of holders) answered[holder] = await call(keys.get(holder) ?? expect.unreachable(holder));
  return answered;
}

function summarize({ status, body }: ApiAnswer): string {
  if (status < 300) return "done";
  return ["403 FORBIDDEN", "403 NO_PERMISSION"].includes(`${status} ${body.code}`)
    ? "refused"
    : `${status} ${body.code}`;
}

test("every operation and tool is called, and has its scope in the documents", () => {
  expect([...documented.keys()].toSorted()).toEqual(Object.keys(calls).toSorted());
  expect([...documentedTools.keys()].toSorted()).toEqual(Object.keys(toolCalls).toSorted());
});

describe("a key does with each scope what its operation's page says, and nothing else", () => {
  // The one that is read is of a license.
  const ofLicense = new Map([
    ["operation.info", { "bundles:read": "404 OPERATION_NOT_FOUND" }],
    ["operations.get", { "bundles:read": "404 NOT_FOUND" }],
  ]);

  test("on both interfaces", async () => {
    for (const [name, call] of Object.entries(calls)) {
      const answered = await ask(async (by) => summarize(await call(by)));
      const needed = documented.get(name);
      if (needed === undefined) expect.unreachable(name);
      expect({ [name]: answered }).toEqual({ [name]: { ...verdictOf(needed), ...ofLicense.get(name) } });
    }
  });

  test("in the tools, of which it sees exactly those", async () => {
    for (const [name, needed] of documentedTools) {
      const answered = await ask(async (by) => {
        const { result } = (await by.mcp("tools/call", { name, arguments: toolCalls[name] })).body;
        if (result.isError !== true) return "done";
        return result.content[0].text.startsWith("NO_PERMISSION:") ? "refused" : result.content[0].text;
      });
      expect({ [name]: answered }).toEqual({ [name]: verdictOf(needed) });
      const listed = await ask(async (by) => {
        const { result } = (await by.mcp("tools/list")).body;
        return result.tools.some((tool: { readonly name: string }) => tool.name === name) ? "done" : "refused";
      });
      expect({ [name]: listed }).toEqual({ [name]: verdictOf(needed) });
    }
  });
});
