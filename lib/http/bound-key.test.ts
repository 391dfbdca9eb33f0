/** Every operation and tool, with a key that is bound to one license (contract 1.13). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listMembers } from "#lib/db/license/license.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { agentScopes } from "#lib/domain/scopes.ts";
import { tools } from "#lib/mcp/tools.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { sql } from "#tests/sql.ts";
import {
  type ApiAnswer,
  type ApiCaller,
  type ApiUser,
  type ApiWorld,
  callerWith,
  newApiWorld,
  SOURCE,
} from "#tests/support/api.ts";
import { ip } from "#tests/support/faults.ts";
import { operations } from "./dispatch-api/interface.ts";
import type { Method } from "./endpoint.ts";
import { pathTargets } from "./path-api/interface.ts";

interface License {
  readonly id: number;
  readonly key: string;
}

let world: ApiWorld;
let user: ApiUser;
let bound: ApiCaller;
let own: License;
/** Of the same reseller: on the caller's own address, of a bundle, terminated. And of another reseller; and none. */
let others: Readonly<Record<string, License>>;
const nothing: License = {
  id: 2_000_000_000,
  key: createLicenseKey((count) => new Uint8Array(count).fill(7)),
};

beforeAll(async () => {
  world = await newApiWorld();
  user = await world.user({ funds: "10000" });
  const register = async (by: ApiUser, ...[input]: Parameters<ApiUser["register"]>): Promise<License> => {
    const { licenseId, licenseKey } = await by.register(input);
    return { id: licenseId, key: licenseKey };
  };
  own = await register(user);
  const neighbor = await register(user, { type: "web_server", ip: SOURCE });
  const terminated = await register(user);
  await user.dispatch("license.terminate", { form: { license_id: terminated.id } });
  const { bundleId, cycleId } = await world.bundleOffer(user.id);
  const { instance } = await registerBundle(user.context(), { bundleId, cycleId, ipAddress: ip(world.freshIp()) });
  const [member] = await listMembers(world.db, user.id, instance.id);
  if (!member) throw new Error("the bundle has no member");
  others = {
    "on the caller's address": neighbor,
    "of a bundle": { id: member.id, key: member.key },
    terminated,
    "of another reseller": await register(await world.user()),
  };
  bound = await boundTo(own);
});
afterAll(() => world.close());

async function boundTo({ id }: License): Promise<ApiCaller> {
  const { apiKey } = await createResellerApiKey(world.operator, {
    resellerId: user.id,
    name: "agent",
    scopes: agentScopes,
    licenseId: id as LicenseId,
    rateLimitPerMinute: 100_000,
  });
  return callerWith(apiKey);
}

const json = (value: object) => ({ json: JSON.stringify(value) });
const report = ({ key }: License) => ({
  license_key: key,
  hostname: "web1.example.com",
  os: "Debian 12",
  kernel: "6.1",
  cpu_cores: 4,
  memory: "8GB",
  disk_free: "40GB",
  uptime: "3 days",
});

/** What such a key can call about a license. */
const reachable: Readonly<Record<string, (by: ApiCaller, license: License) => Promise<ApiAnswer>>> = {
  "license.status": (by, { key }) => by.path("/license/status", { query: { license_key: key } }),
  "license.verify": (by, { key }) => by.path("/license/verify", json({ license_key: key })),
  "diagnostics.report": (by, license) => by.path("/diagnostics", json(report(license))),
};

/** Everything of an answer that does not differ with the request or its time. */
function seen({ status, body, headers }: ApiAnswer): unknown {
  return { status, body, names: [...headers.keys()].toSorted() };
}

describe.each(Object.entries(reachable))("%s", (name, call) => {
  test("answers for the license of the key as for a key of all licenses", async () => {
    const answer = await call(bound, own);
    expect(answer.status).toBe(200);
    if (name !== "diagnostics.report") expect(answer.body).toEqual((await call(user, own)).body);
  });

  test("answers for every other license as for one that does not exist", async () => {
    const none = seen(await call(bound, nothing));
    for (const [which, license] of Object.entries(others)) {
      expect(`${which} ${JSON.stringify(seen(await call(bound, license)))}`).toBe(`${which} ${JSON.stringify(none)}`);
    }
  });
});

describe("GET /license/status without a key of a license", () => {
  test("finds the license of the key on the caller's address, alone of several", async () => {
    const caller = await boundTo(others["on the caller's address"] as License);
    await user.register({ ip: SOURCE });
    expect((await user.path("/license/status")).body.code).toBe("INVALID_REQUEST");
    expect((await caller.path("/license/status")).body).toMatchObject({ type: "web_server", ip: SOURCE });
  });

  test("finds nothing if only others are on the caller's address", async () => {
    const here = await bound.path("/license/status");
    const elsewhere = await bound.path("/license/status", { source: "203.0.113.77" });
    expect(here.status).toBe(404);
    expect(seen(here)).toEqual(seen(elsewhere));
  });

  test("is refused by id and by another address, whatever is there", async () => {
    for (const [selector, value] of [
      ["license_id", own.id],
      ["license_id", nothing.id],
      ["ip_address", "203.0.113.77"],
    ] as const) {
      const query = { [selector]: value };
      expect((await bound.path("/license/status", { query })).body.code).toBe("FORBIDDEN");
    }
  });
});

test("a refused verification leaves no trace on the other license", async () => {
  const { id, key } = others["of a bundle"] as License;
  await reachable["license.verify"]?.(bound, { id, key });
  await world.db.writeBehind.flush();
  const rows = await world.db.query(sql("select 1 from verifications where license_id = $1"), [id]);
  expect(rows).toEqual([]);
});

const targets = Object.entries(pathTargets).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { name }]) => ({ name, method: method as Method, path })),
);

describe("every other operation answers like a missing scope", () => {
  const open = new Set([...Object.keys(reachable), "me", "me.get"]);
  const about = ({ id, key }: License) => ({ license_id: id, license_key: key, new_ip: "203.0.113.9", cores: 2 });

  test.each(targets.filter(({ name }) => !open.has(name)))("$method $path", async ({ method, path }) => {
    for (const license of [own, ...Object.values(others), nothing]) {
      const call = method === "GET" ? { query: about(license) } : json(about(license));
      const answer = await bound.path(path.replace("{id}", String(license.id)), { method, ...call });
      expect(`${answer.status} ${answer.body.code}`).toBe("403 FORBIDDEN");
    }
  });

  test.each(operations.filter(({ name }) => !open.has(name)))("$name", async ({ name, method }) => {
    for (const license of [own, ...Object.values(others), nothing]) {
      const call = method === "GET" ? { query: about(license) } : { form: about(license) };
      const answer = await bound.dispatch(name, call);
      expect(`${answer.status} ${answer.body.code}`).toBe("403 NO_PERMISSION");
    }
  });

  test.each(tools)("the tool $name", async ({ name }) => {
    const { body } = await bound.mcp("tools/call", { name, arguments: about(own) });
    expect(body.result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^NO_PERMISSION/) }] });
  });

  test("no tool is listed", async () => {
    const { body } = await bound.mcp("tools/list");
    expect(body.result.tools).toEqual([]);
  });
});

test("me names the license of the key", async () => {
  expect((await bound.dispatch("me")).body.data.key.license_id).toBe(`lic_${own.id}`);
  expect((await bound.path("/me")).body.key.license_id).toBe(`lic_${own.id}`);
  expect((await user.path("/me")).body.key.license_id).toBeNull();
});
